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

/** Each is held against the folded path, which begins with a slash. The first that fits says why. */
const rules: readonly Rule[] = [
  {
    names:
      /\/\.env[^/]*$|\.env(\.(local|prod|production|dev|development|test|staging))?$|\.tfvars(\.json)?$|\.tfstate(\.backup)?$/,
    uses: always,
    why: 'it may hold secrets',
  },
  {
    names:
      /\.(pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|gpg|keytab|ovpn)$|\/id_[^/.]+$|\/id_(rsa|dsa|ecdsa|ed25519)(?![^/]*\.pub$)[^/]*$|\/authorized_keys$/,
    uses: always,
    why: 'it may be a key',
  },
  {
    names:
      /\/(\.netrc|_netrc|\.npmrc|\.yarnrc[^/]*|\.pypirc|\.pgpass|\.my\.cnf|\.htpasswd|\.git-credentials|\.dockercfg|\.dockerconfigjson|\.vault-token|\.?credentials(\.(json|ya?ml|toml|ini|xml|csv|db))?|secrets?\.(json|ya?ml|toml))$/,
    uses: always,
    why: 'it may hold passwords or tokens',
  },
  {
    names:
      /\/(kubeconfig(\.ya?ml)?|[^/]*\.kubeconfig|[^/]*service[-_]?account[^/]*\.json|client_secret[^/]*\.json|oauth_creds\.json|\.codex\/auth\.json|\.?mcp([-_](config|settings))?\.json)$/,
    uses: always,
    why: 'it may hold passwords or tokens',
  },
  {
    names: /\/(\.[a-z0-9_]+_history|\.histfile|\.lesshst|\.viminfo|fish_history|consolehost_history\.txt)$/,
    uses: always,
    why: 'it holds what was typed, which may be passwords',
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
    names:
      /\/(\.vscode|\.vs|\.idea|\.zed|\.devcontainer|\.fleet|\.helix|\.idx)(\/|$)|\.(code-workspace|sublime-project)$|\/\.?devcontainer\.json$|\/\.gitpod\.(ya?ml|dockerfile)$/,
    uses: written,
    why: 'it sets up the editor, which can run programs',
  },
  {
    names: /\/(\.(exrc|g?vimrc|nvimrc|lvimrc|nvim\.lua|emacs|dir-locals(-2)?\.el))$/,
    uses: written,
    why: 'it sets up the editor, which can run programs',
  },
  {
    names:
      /\/(\.claude|\.codex|\.cursor|\.gemini|\.qwen|\.opencode|\.roo|\.kiro|\.continue|\.windsurf|\.clinerules|\.agents|\.junie|\.augment|\.factory|\.kilocode|\.goose)(\/|$)|\/opencode\.jsonc?$|\/\.claude\.json$|\/\.?crush\.json$|\/\.aider[^/]*\.ya?ml$/,
    uses: written,
    why: 'it sets up an agent, which can run programs',
  },
  {
    names:
      /\/(agents?|claude|gemini|qwen)(\.local|\.override)?\.md$|\/\.(cursorrules|windsurfrules|roorules|goosehints|rules)$|\/\.github\/(copilot-instructions\.md$|(instructions|prompts|chatmodes|agents|skills)(\/|$))/,
    uses: written,
    why: 'it sets up an agent, which follows what it says',
  },
  {
    names:
      /\/(\.husky|\.githooks|\.(github|gitea|forgejo)\/(workflows|actions)|\.circleci|\.buildkite|\.semaphore|\.woodpecker)(\/|$)|\/(\.gitlab-ci|\.pre-commit-config|\.?lefthook(-local)?|\.travis|\.drone|\.woodpecker|\.cirrus|\.?appveyor|azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec)\.ya?ml$|\/jenkinsfile$/,
    uses: written,
    why: 'it names programs that run by themselves',
  },
  {
    names:
      /\/(package\.json|(gnu)?makefile|conftest\.py|(site|user)customize\.py|\.pnpmfile\.c?js|\.?mise(\.local)?\.toml)$|\/\.mise\//,
    uses: written,
    why: 'tools run what it says',
  },
  {
    names:
      /\/\.(profile|login|logout|inputrc|xprofile|xinitrc|xsession|(bash|zsh|ksh|csh|tcsh|sh)(rc|env)|bash_[^/]+|z(profile|login|logout))$|\/[^/]*profile\.ps1$/,
    uses: written,
    why: 'a shell runs it',
  },
  {
    names: /\/\.(gdbinit|lldbinit|irbrc|pryrc|pdbrc|rprofile)$/,
    uses: written,
    why: 'a debugger or an interpreter runs it',
  },
  {
    names: /\/(\.config\/(fish|autostart|systemd)|library\/launch(agents|daemons)|start menu)(\/|$)/,
    uses: written,
    why: 'what it names is run by itself',
  },
];

/** Copies that editors and people leave beside a file, and that hold what it holds. */
const copyEnds = /(?:\.(?:bak|backup|old|orig|save|swp)|~)+$/;

/** Why a person is asked, as it follows on "because"; `parts` are those below some folder. */
export function whySensitive(parts: readonly string[], use: FileUse): string | null {
  const path = parts.map(part => `/${folded(part)}`).join('');
  const paths = [path, path.replace(copyEnds, '')];
  return rules.find(({ names, uses }) => uses.includes(use) && paths.some(one => names.test(one)))?.why ?? null;
}

/** What some disk takes for the same name: case, composition, characters without a width, dots and spaces at the end. */
function folded(part: string): string {
  return part
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/(?<=[^. ])[. ]+$/, '');
}
