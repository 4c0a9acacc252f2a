// The public registry of agents as its file says it, read by hand because anybody may have written it. Pure. Promises: an
// entry that is not understood is passed over and takes nothing else with it; nothing comes through that could leave the
// folder it is installed in, that is fetched without https, or that pretends to be another with characters nobody sees.

export interface RegistryAgent {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly authors: readonly string[];
  readonly license: string;
  readonly website: string | null;
  /** At least one, the one to prefer first. */
  readonly ways: readonly Way[];
}

/** How it comes to this machine. */
export type Way =
  | { readonly kind: 'archive'; readonly url: string; readonly sha256: string | null; readonly run: Run }
  | { readonly kind: 'npm' | 'uv'; readonly package: string; readonly run: Pick<Run, 'args' | 'env'> };

export interface Run {
  /** Relative to the folder of what was unpacked. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
}

/** As the registry calls this machine; null where it has no name for it. */
export function platformOf(platform: string, architecture: string): string | null {
  const system = { darwin: 'darwin', linux: 'linux', win32: 'windows' }[platform];
  const processor = { arm64: 'aarch64', x64: 'x86_64' }[architecture];
  return system && processor ? `${system}-${processor}` : null;
}

/** Throws where it is no registry at all. */
export function agentsIn(text: string, platform: string | null): readonly RegistryAgent[] {
  const agents = fieldsOf(JSON.parse(text))?.['agents'];
  if (!Array.isArray(agents)) throw new Error('The registry has no list of agents.');
  const found = new Map<string, RegistryAgent>();
  for (const one of agents) {
    const agent = agentOf(one, platform);
    if (agent && !found.has(agent.id)) found.set(agent.id, agent);
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function agentOf(value: unknown, platform: string | null): RegistryAgent | null {
  const fields = fieldsOf(value);
  const id = textOf(fields?.['id'], 64);
  const version = textOf(fields?.['version'], 64);
  const name = textOf(fields?.['name'], 80);
  if (!fields || !id || !version || !name) return null;
  // Both become names of folders.
  if (!/^[a-z][a-z0-9-]*$/.test(id) || !/^\d[\w.+-]*$/.test(version)) return null;
  const ways = waysOf(fields['distribution'], platform);
  if (ways.length === 0) return null;
  const authors = Array.isArray(fields['authors']) ? fields['authors'] : [];
  return {
    id,
    name,
    version,
    description: textOf(fields['description'], 300) ?? '',
    authors: authors.flatMap(one => textOf(one, 80) ?? []).slice(0, 5),
    license: textOf(fields['license'], 80) ?? '',
    website: httpsOf(fields['website']) ?? httpsOf(fields['repository']),
    ways,
  };
}

function waysOf(value: unknown, platform: string | null): readonly Way[] {
  const fields = fieldsOf(value);
  const target = platform === null ? undefined : fieldsOf(fieldsOf(fields?.['binary'])?.[platform]);
  return [
    target && archiveOf(target),
    packageOf('npm', fieldsOf(fields?.['npx'])),
    packageOf('uv', fieldsOf(fields?.['uvx'])),
  ].filter(way => way !== null && way !== undefined);
}

function archiveOf(target: Fields): Way | null {
  const url = httpsOf(target['archive']);
  const command = typeof target['cmd'] === 'string' ? target['cmd'].replace(/\\/g, '/').replace(/^\.\//, '') : '';
  const run = runOf(target);
  const sha256 = target['sha256'];
  if (!url || !run || !isInside(command)) return null;
  // One that is there and is no checksum is a reason not to trust the rest.
  if (sha256 !== undefined && !(typeof sha256 === 'string' && /^[a-f0-9]{64}$/i.test(sha256))) return null;
  return { kind: 'archive', url, sha256: sha256?.toLowerCase() ?? null, run: { command, ...run } };
}

function packageOf(kind: 'npm' | 'uv', fields: Fields | undefined): Way | null {
  const name = fields?.['package'];
  const run = fields && runOf(fields);
  if (!run || typeof name !== 'string' || name.length > 200) return null;
  if (!packageNames[kind].test(name) || fileNames.test(name)) return null;
  return { kind, package: name, run };
}

/**
 * The name is an argument of a package manager. To npm, `owner/repo` is a repository on GitHub whose scripts it runs, and
 * other slashes and the ends of archives are files of this machine.
 */
const packageNames = {
  npm: /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*(?:@\d[a-z0-9.+-]*)?$/i,
  uv: /^[a-z0-9][a-z0-9._-]*(?:(?:==|@)\d[a-z0-9.+!-]*)?$/i,
} as const;
const fileNames = /\.(?:tgz|tar|gz|bz2|xz|zip|whl|py|pyz)$/i;

/** What is fetched is one exact thing: its checksum is known, or the package manager checks that of one version. */
export function isPinned(way: Way): boolean {
  return way.kind === 'archive' ? way.sha256 !== null : /[@=]\d/.test(way.package.slice(1));
}

function runOf(fields: Fields): Pick<Run, 'args' | 'env'> | null {
  const { args = [], env = {} } = fields;
  const named = fieldsOf(env);
  if (!Array.isArray(args) || !args.every(arg => typeof arg === 'string') || !named) return null;
  const entries = Object.entries(named).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { args, env: Object.fromEntries(entries) };
}

function isInside(path: string): boolean {
  const parts = path.split('/');
  return path !== '' && !/^[a-z]:/i.test(path) && parts.every(part => part !== '' && part !== '..' && part !== '.');
}

function httpsOf(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const url = new URL(value);
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null;
}

/** One line without control characters or those that change the direction of what follows. */
function textOf(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return text === '' ? undefined : text.slice(0, most);
}

type Fields = { readonly [name: string]: unknown };

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
