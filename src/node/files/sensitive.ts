// Files that a person is asked about each time: those that hold secrets, read or written, and those that make some
// program run something, written. Promises: pure; a name counts however it is cased or composed, on every system, so that
// no disk decides it. What is not in this list is left to the agent's own permission questions.

import type { FileUse } from '../../core/files.ts';

interface Rule {
  readonly names: RegExp;
  readonly uses: readonly FileUse[];
  readonly why: string;
}

const always: readonly FileUse[] = ['read', 'write'];
const written: readonly FileUse[] = ['write'];

/** Each is held against the folded path, which begins with a slash. */
const rules: readonly Rule[] = [
  { names: /\/\.env[^/]*$|\.tfvars(\.json)?$|\.tfstate(\.backup)?$/, uses: always, why: 'it may hold secrets' },
  {
    names: /\.(pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|gpg)$|\/id_[^/.]+$|\/authorized_keys$/,
    uses: always,
    why: 'it may be a key',
  },
  {
    names:
      /\/(\.netrc|_netrc|\.npmrc|\.yarnrc[^/]*|\.pypirc|\.pgpass|\.my\.cnf|\.htpasswd|\.git-credentials|\.dockercfg|credentials(\.(json|ya?ml|toml|ini|xml|csv|db))?|secrets?\.(json|ya?ml|toml))$/,
    uses: always,
    why: 'it may hold passwords or tokens',
  },
  {
    names:
      /\/(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.cargo|\.m2|\.password-store|\.config\/(gcloud|gh|op|rclone))(\/|$)/,
    uses: always,
    why: 'it lies where keys and passwords are kept',
  },
  { names: /\/(\.git|\.hg|\.svn|\.jj)(\/|$)/, uses: always, why: 'it belongs to version control' },
  {
    names: /\/\.gitconfig$|\/\.git(modules|attributes)$|\/\.config\/git(\/|$)/,
    uses: written,
    why: 'it can make version control run programs',
  },
  {
    names: /\/(\.vscode|\.idea|\.zed|\.devcontainer|\.fleet)(\/|$)|\.code-workspace$|\/\.?devcontainer\.json$/,
    uses: written,
    why: 'it sets up the editor, which can run programs',
  },
  {
    names:
      /\/(\.claude|\.codex|\.cursor|\.gemini|\.qwen|\.opencode|\.roo|\.kiro|\.continue|\.windsurf)(\/|$)|\/\.?mcp\.json$|\/opencode\.jsonc?$|\/\.claude\.json$/,
    uses: written,
    why: 'it sets up an agent, which can run programs',
  },
  {
    names:
      /\/(\.husky|\.githooks|\.github\/(workflows|actions)|\.circleci|\.buildkite)(\/|$)|\/(\.gitlab-ci|\.pre-commit-config|\.?lefthook(-local)?)\.ya?ml$/,
    uses: written,
    why: 'it names programs that run by themselves',
  },
  {
    names:
      /\/\.(profile|login|logout|inputrc|xprofile|xinitrc|xsession|(bash|zsh|ksh|csh|tcsh|sh)(rc|env)|bash_[^/]+|z(profile|login|logout))$|\/[^/]*profile\.ps1$/,
    uses: written,
    why: 'a shell runs it',
  },
  {
    names: /\/(\.config\/(fish|autostart|systemd)|library\/launch(agents|daemons)|start menu)(\/|$)/,
    uses: written,
    why: 'what it names is run by itself',
  },
];

/** Why a person is asked, as it follows on "because"; `parts` are those below some folder. */
export function whySensitive(parts: readonly string[], use: FileUse): string | null {
  const path = parts.map(part => `/${folded(part)}`).join('');
  return rules.find(({ names, uses }) => uses.includes(use) && names.test(path))?.why ?? null;
}

/** What some disk takes for the same name: case, composition, characters without a width, dots and spaces at the end. */
function folded(part: string): string {
  return part
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/(?<=[^. ])[. ]+$/, '');
}
