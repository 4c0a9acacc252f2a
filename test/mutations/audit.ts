// What an audit of the product looked at and no other file of this folder has: each group of sensitive names, each request
// of an agent that needs a running turn, agents and models of elsewhere, and retention.

import type { Row } from './row.ts';

const names = 'test/unit/files/names.test.ts';
const turnRule = 'test/unit/agents/turnRule.test.ts';
const registry = 'test/unit/agents/registrySafety.test.ts';
const localModels = 'test/unit/agents/localModels.test.ts';
const retention = 'test/unit/host/retention.test.ts';
const sensitive = 'src/node/files/sensitive.ts';

/** A group of names by the end of its pattern and why a person is asked; without the defence it is asked about never. */
function group(what: string, uses: 'always' | 'written', why: string, end = ''): Row {
  return {
    defence: `A person is asked about ${what}`,
    attacks: uses === 'always' ? [8, 12, 23] : [8],
    file: sensitive,
    text: `${end}uses: ${uses},\n    why: '${why}',`,
    replacement: `${end}uses: [],\n    why: '${why}',`,
    tests: [names],
  };
}

const groups: readonly Row[] = [
  group('files of variables', 'always', 'it may hold secrets'),
  group('keys', 'always', 'it may be a key'),
  group('files of passwords', 'always', 'it may hold passwords or tokens', 'ya?ml|toml))$/,\n    '),
  group('files of tokens', 'always', 'it may hold passwords or tokens', 'settings))?\\.json)$/,\n    '),
  group('what was typed in a shell', 'always', 'it holds what was typed, which may be passwords'),
  group('the folders of keys and passwords', 'always', 'it lies where keys and passwords are kept'),
  group('what sets up version control', 'written', 'it can make version control run programs'),
  group(
    'what sets up VS Code and its like',
    'written',
    'it sets up the editor, which can run programs',
    'ya?ml|dockerfile)$/,\n    ',
  ),
  group(
    'what sets up older editors',
    'written',
    'it sets up the editor, which can run programs',
    '-2)?\\.el))$/,\n    ',
  ),
  group('what sets up agents', 'written', 'it sets up an agent, which can run programs'),
  group('what agents are told', 'written', 'it sets up an agent, which follows what it says'),
  group('what runs by itself in a repository', 'written', 'it names programs that run by themselves'),
  group('what tools run', 'written', 'tools run what it says'),
  group('what a shell runs', 'written', 'a shell runs it'),
  group('what debuggers and interpreters run', 'written', 'a debugger or an interpreter runs it'),
  group('what a system runs by itself', 'written', 'what it names is run by itself'),
  {
    defence: 'A person is asked about the files of version control',
    attacks: [8, 12, 23],
    file: sensitive,
    text: "uses: always, why: 'it belongs to version control'",
    replacement: "uses: [], why: 'it belongs to version control'",
    tests: [names],
  },
  {
    defence: 'A copy that an editor left of a sensitive file is one',
    attacks: [8, 12, 23],
    file: sensitive,
    text: "const paths = [path, path.replace(copyEnds, '')];",
    replacement: 'const paths = [path];',
    tests: [names],
  },
  {
    defence: 'A sensitive name counts however its letters are composed',
    attacks: [8],
    file: sensitive,
    text: "    .normalize('NFKC')\n",
    replacement: '',
    tests: [names],
  },
  {
    defence: 'A sensitive name counts with characters in it that have no width',
    attacks: [8],
    file: sensitive,
    text: "    .replace(/\\p{Default_Ignorable_Code_Point}/gu, '')\n",
    replacement: '',
    tests: [names],
  },
  {
    defence: 'A sensitive name counts with dots and spaces behind it',
    attacks: [8],
    file: sensitive,
    text: "    .replace(/(?<=[^. ])[. ]+$/, '');",
    replacement: ';',
    tests: [names],
  },
];

/** What an agent asks of this client, and needs a running turn for. */
function request(what: string, method: string, need: string): Row {
  return {
    defence: `An agent ${what} only in a running turn`,
    attacks: [11, 27],
    file: 'src/node/acp/turnRule.ts',
    text: `'${method}': '${need}',`,
    replacement: `'${method}': 'nothing',`,
    tests: [turnRule],
  };
}

const requests: readonly Row[] = [
  request('writes a file', 'fs/write_text_file', 'running turn'),
  request('runs a command', 'terminal/create', 'running turn'),
  request('asks for permission', 'session/request_permission', 'question'),
  request('asks by a form', 'elicitation/create', 'question'),
  {
    defence: 'An agent reads only in a session that is open',
    attacks: [19],
    file: 'src/node/acp/turnRule.ts',
    text: "'fs/read_text_file': 'session',",
    replacement: "'fs/read_text_file': 'nothing',",
    tests: [turnRule],
  },
  {
    defence: 'What an agent asks right behind its answer is outside of the turn',
    attacks: [11, 27],
    file: 'src/node/acp/promptTurn.ts',
    text: "if (this.closed || this.isAnswered) return 'none';",
    replacement: "if (this.closed) return 'none';",
    tests: [turnRule],
  },
];

const elsewhere: readonly Row[] = [
  {
    defence: 'What is downloaded has an end',
    attacks: [14, 21],
    file: 'src/node/http/client.ts',
    text: "archive: { redirects: 'https', mostBytes: 1024 * megabyte,",
    replacement: "archive: { redirects: 'https', mostBytes: Infinity,",
    tests: ['test/unit/http/client.test.ts'],
    only: 'every use has limits',
  },
  {
    defence: 'An archive with another checksum than the registry gives is not unpacked',
    attacks: [21],
    file: 'src/node/registry/archive.ts',
    text: "if (sha256 !== null && hash.digest('hex') !== sha256) {",
    replacement: "if (sha256 === '') {",
    tests: ['test/unit/agents/registry.test.ts'],
  },
  {
    defence: 'A package name that npm takes for a file is none',
    attacks: [21],
    file: 'src/node/registry/registry.ts',
    text: 'if (!packageNames[kind].test(name) || fileNames.test(name)) return null;',
    replacement: 'if (!packageNames[kind].test(name)) return null;',
    tests: [registry],
    only: 'the package',
  },
  {
    defence: 'A model server that the person refused is not asked again',
    attacks: [25],
    file: 'src/host/agents/localModels.ts',
    text: 'const isThere = address !== null && agreed !== false && (await',
    replacement: 'const isThere = address !== null && (await',
    tests: [localModels],
  },
  {
    defence: 'A model server is looked for on this machine only',
    attacks: [25],
    file: 'src/host/agents/localModels.ts',
    text: "if (!['127.0.0.1', 'localhost', '[::1]'].includes(name)) return null;",
    replacement: '',
    tests: [localModels],
  },
];

const kept: readonly Row[] = [
  {
    defence: 'Nothing is put away by rules that the person didn’t agree to',
    attacks: [],
    file: 'src/core/retentionRules.ts',
    text: 'if (!asksEachTime && isAgreed && !hasJumped && !isMuch)',
    replacement: 'if (!asksEachTime && !hasJumped && !isMuch)',
    tests: [retention],
  },
  {
    defence: 'Nothing is put away unasked where the clock jumped',
    attacks: [],
    file: 'src/core/retentionRules.ts',
    text: 'if (!asksEachTime && isAgreed && !hasJumped && !isMuch)',
    replacement: 'if (!asksEachTime && isAgreed && !isMuch)',
    tests: [retention],
  },
  {
    defence: 'Not much is put away at once unasked',
    attacks: [],
    file: 'src/core/retentionRules.ts',
    text: 'if (!asksEachTime && isAgreed && !hasJumped && !isMuch)',
    replacement: 'if (!asksEachTime && isAgreed && !hasJumped)',
    tests: [retention],
  },
  {
    defence: 'What is pinned is never put away where that is kept',
    attacks: [],
    file: 'src/core/retentionRules.ts',
    text: ' || (pinned && settings.keepPinned)) return null;',
    replacement: ') return null;',
    tests: [retention],
  },
  {
    defence: 'What the person kept when it was due is never put away by a rule',
    attacks: [],
    file: 'src/core/retentionRules.ts',
    text: 'if (expires !== null || metadata[keptKey] === true) return null;',
    replacement: 'if (expires !== null) return null;',
    tests: [retention],
  },
];

export const audited: readonly Row[] = [...groups, ...requests, ...elsewhere, ...kept];
