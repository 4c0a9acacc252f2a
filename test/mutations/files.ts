// What an agent may reach through its file methods: the folders of the workspace, by real paths, and sensitive files only
// when a person said so.

import type { Row } from './row.ts';

const guard = 'test/unit/files/guard.test.ts';
const names = 'test/unit/files/names.test.ts';
const race = 'test/unit/files/race.test.ts';
const read = 'test/unit/files/read.test.ts';
const write = 'test/unit/files/write.test.ts';
const trouble = 'test/unit/files/changesTrouble.test.ts';

export const files: readonly Row[] = [
  {
    defence: 'A path counts as what it really is, with every link in it followed',
    attacks: [7],
    file: 'src/node/files/guard.ts',
    text: 'const real = await realpath(at);',
    replacement: 'const real = at;',
    tests: [guard],
  },
  {
    defence: 'A path through a link that leads to nothing is refused',
    attacks: [7],
    file: 'src/node/files/guard.ts',
    text: "if (await isThere(at)) return { words: 'a link in it leads to nothing' };",
    replacement: '',
    tests: [guard],
  },
  {
    defence: 'A pipe or a device is refused before it is opened',
    attacks: [7],
    file: 'src/node/files/guard.ts',
    text: 'return about.isFile() || about.isDirectory() ? null :',
    replacement: 'return about ? null :',
    tests: [guard],
  },
  {
    defence: 'A person is asked about the folders of the extension itself',
    attacks: [7],
    file: 'src/node/files/guard.ts',
    text: 'if (partsBelow(real, folder, platform)) return',
    replacement: 'if (!folder) return',
    tests: [guard],
  },
  {
    defence: 'A sensitive name counts as it is spelled and as it really is',
    attacks: [8],
    file: 'src/node/files/guard.ts',
    text: 'for (const parts of [asSpelled, ...below]) {',
    replacement: 'for (const parts of [asSpelled]) {',
    tests: [guard],
  },
  {
    defence: 'A path with “..” in it is refused',
    attacks: [7],
    file: 'src/node/files/spelling.ts',
    text: "if (path.split(/[\\\\/]/).includes('..')) return 'it holds “..”';",
    replacement: '',
    tests: [names],
  },
  {
    defence: 'A path that names a stream of a file on Windows is refused',
    attacks: [7],
    file: 'src/node/files/spelling.ts',
    text: "if (part.includes(':')) return 'it names a stream of a file';",
    replacement: '',
    tests: [names],
  },
  {
    defence: 'A path with a control character in it is refused',
    attacks: [7],
    file: 'src/node/files/spelling.ts',
    text: "if (/[\\u0000-\\u001f\\u007f]/.test(path)) return 'it holds a control character';",
    replacement: '',
    tests: [guard],
  },
  {
    defence: 'A folder that was replaced after the judgement is noticed when it is opened, and after the use',
    attacks: [7],
    file: 'src/node/files/pinned.ts',
    text: 'if ((await readlink(at)) !== real) throw new Moved();',
    replacement: '',
    tests: [race, read],
  },
  {
    defence: 'A pipe that takes the place of a file keeps nobody waiting',
    attacks: [7],
    file: 'src/node/files/pinned.ts',
    text: 'O_RDONLY | O_NOFOLLOW | O_NONBLOCK',
    replacement: 'O_RDONLY | O_NOFOLLOW',
    tests: [read],
    only: 'becomes a pipe',
    shows: 'hang',
    seconds: 10,
  },
  {
    defence: 'A link that takes the place of a file is not followed when the file is opened',
    attacks: [7],
    file: 'src/node/files/pinned.ts',
    text: 'O_RDONLY | O_NOFOLLOW | O_NONBLOCK',
    replacement: 'O_RDONLY | O_NONBLOCK',
    tests: [race],
    only: 'leads to nothing',
  },
  {
    defence: 'A link that takes the place of a folder is not followed when the folder is opened',
    attacks: [7],
    file: 'src/node/files/pinned.ts',
    text: 'O_RDONLY | O_DIRECTORY | O_NOFOLLOW',
    replacement: 'O_RDONLY | O_DIRECTORY',
    tests: [race],
    only: 'leads to nothing',
  },
  {
    defence: 'A person is asked before something is written in .vscode',
    attacks: [8],
    file: 'src/node/files/sensitive.ts',
    text: '/\\/(\\.vscode|\\.idea|',
    replacement: '/\\/(\\.idea|',
    tests: [names, write],
  },
  {
    defence: 'A sensitive name counts in whichever case it is written',
    attacks: [8],
    file: 'src/node/files/sensitive.ts',
    text: '    .toLowerCase()\n',
    replacement: '',
    tests: [names],
  },
  {
    defence: 'What makes programs run is written only after the person allowed it',
    attacks: [8],
    file: 'src/node/files/agentFiles.ts',
    text: "await this.allow(session, path, guarded, { kind: 'write', content }, signal);",
    replacement: '',
    tests: [write],
  },
  {
    defence: 'A sensitive file is read only after the person allowed it',
    attacks: [12],
    file: 'src/node/files/agentFiles.ts',
    text: "await this.allow(sessionId, path, guarded, { kind: 'read' }, signal);",
    replacement: '',
    tests: [read],
  },
  {
    defence: 'A yes is worth nothing once the agent took its request back',
    attacks: [11],
    file: 'src/node/files/agentFiles.ts',
    text: `const isAllowed = await this.ports.ask(session, { ...what, path: real, why }, signal);
    if (signal.aborted) throw RequestError.requestCancelled();`,
    replacement: 'const isAllowed = await this.ports.ask(session, { ...what, path: real, why }, signal);',
    tests: [read],
  },
  {
    defence: 'The content of a secret file is not in the list of changes',
    attacks: [12],
    file: 'src/node/files/changes/changeList.ts',
    text: ' || this.options.isSecret(path)) return null;',
    replacement: ') return null;',
    tests: [trouble],
    only: 'secrets, the own folders',
  },
  {
    defence: 'The content of a secret file is not kept for putting back',
    attacks: [12],
    file: 'src/node/files/changes/look.ts',
    text: 'if (read.sha256 !== null && read.bytes && !isSecret(full))',
    replacement: 'if (read.sha256 !== null && read.bytes)',
    tests: [trouble],
    only: 'secrets, the own folders',
  },
];
