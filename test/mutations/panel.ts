// The panel and what talks to it: nothing that an agent says acts or deceives, and a page that was taken over can do no more than a person.

import type { Row } from './row.ts';

const attacks = 'test/unit/host/attacks.test.ts';
const cleanText = 'test/unit/webview/cleanText.test.ts';
const markdown = 'test/unit/webview/markdown.test.ts';
const questions = 'test/unit/webview/questions.test.ts';
const chatPage = 'test/unit/host/contentPolicy.test.ts';
const hostTests = 'test/host/host.test.ts';

export const panel: readonly Row[] = [
  {
    defence: 'An image in an answer is not loaded',
    attacks: [4],
    file: 'src/webview/markdown/render.ts',
    text: "return h('span', { class: 'image', title }, [",
    replacement: "return h('img', { src: address, title }, [",
    tests: [markdown],
  },
  {
    defence: 'A picture that can run something, as an SVG, is not given to the page',
    attacks: [4],
    file: 'src/host/chat/named.ts',
    text: "'image/gif', 'image/webp']",
    replacement: "'image/gif', 'image/webp', 'image/svg+xml']",
    tests: ['test/unit/host/named.test.ts'],
  },
  {
    defence: 'The page may load no image of the network',
    attacks: [4],
    file: 'src/host/chat/contentPolicy.ts',
    text: '`img-src data: blob:`',
    replacement: '`img-src data: blob: https:`',
    tests: [chatPage],
  },
  {
    defence: 'The page may load and connect to nothing that isn’t named',
    attacks: [4],
    file: 'src/host/chat/contentPolicy.ts',
    text: "`default-src 'none'`",
    replacement: '`default-src https:`',
    tests: [chatPage],
  },
  {
    defence: 'The page runs no script but its own',
    attacks: [4, 6],
    file: 'src/host/chat/contentPolicy.ts',
    text: "`script-src 'nonce-${nonce}'`",
    replacement: "`script-src 'unsafe-inline'`",
    tests: [chatPage],
  },
  {
    defence: 'The page makes no HTML of strings',
    attacks: [4, 6],
    file: 'src/host/chat/contentPolicy.ts',
    text: "`require-trusted-types-for 'script'`,",
    replacement: '',
    tests: [chatPage],
  },
  {
    defence: 'A link that runs a command is no link',
    attacks: [5],
    file: 'src/model/links.ts',
    text: "new Set(['https:', 'http:', 'mailto:'])",
    replacement: "new Set(['https:', 'http:', 'mailto:', 'command:'])",
    tests: [markdown],
  },
  {
    defence: 'A link that looks like another one by its credentials is no link',
    attacks: [5],
    file: 'src/model/links.ts',
    text: "if (url.username !== '' || url.password !== '') return undefined;",
    replacement: '',
    tests: [markdown],
  },
  {
    defence: 'A link with a control character in it is no link',
    attacks: [5],
    file: 'src/model/links.ts',
    text: 'address.length > longest || /[\\u0000-\\u001f\\u007f\\\\]/.test(address)',
    replacement: 'address.length > longest',
    tests: [markdown],
  },
  {
    defence: 'A page is obeyed only for the session that it shows',
    attacks: [6],
    file: 'src/host/chat/chatChannel.ts',
    text: "if (!conversation || ('session' in intent && intent.session !== conversation.session)) return;",
    replacement: 'if (!conversation) return;',
    tests: [attacks],
  },
  {
    defence: 'A prompt that was taken once is not taken again',
    attacks: [6],
    file: 'src/host/chat/chatChannel.ts',
    text: 'if (this.taken.has(request)) return false;',
    replacement: '',
    tests: [attacks],
  },
  {
    defence: 'An answer counts only where it is one of the choices',
    attacks: [6, 11],
    file: 'src/core/conversation/pending.ts',
    text: 'if (!asked || !this.ports.fits(asked.question, answer)) return false;',
    replacement: 'if (!asked) return false;',
    tests: [attacks],
  },
  {
    defence: 'Words of a page that are longer than they may be are no intent',
    attacks: [6],
    file: 'src/model/intentFields.ts',
    text: "return typeof value === 'string' && value.length <= longest ? value : undefined;",
    replacement: "return typeof value === 'string' ? value : undefined;",
    tests: [attacks],
  },
  {
    defence: 'A draft goes only to the file of a session, whatever a page calls it',
    attacks: [6],
    file: 'src/node/drafts.ts',
    text: 'if (gone.has(session) || !isSessionId(session))',
    replacement: 'if (gone.has(session))',
    tests: [attacks],
  },
  {
    defence: 'Sequences of a terminal that carry words are not shown',
    attacks: [10],
    file: 'src/webview/transcript/cleanText.ts',
    text: "    .replace(strings, '')\n",
    replacement: '',
    tests: [cleanText],
  },
  {
    defence: 'What turns text around is shown by its number',
    attacks: [10],
    file: 'src/webview/transcript/cleanText.ts',
    text: '    .replace(turns, numbered)\n',
    replacement: '',
    tests: [cleanText],
  },
  {
    defence: 'Words in tag characters, which nobody sees, are spelled out',
    attacks: [10],
    file: 'src/webview/transcript/cleanText.ts',
    text: "(flag === '' ? `⟦hidden: ${spelled(hidden)}⟧` : all)",
    replacement: '(flag + hidden === all ? all : all)',
    tests: [cleanText],
  },
  {
    defence: 'A press in the first moment after the buttons appeared does not answer',
    attacks: [11],
    file: 'src/webview/transcript/settled.ts',
    text: 'export const settleTime = 400;',
    replacement: 'export const settleTime = 0;',
    tests: [questions],
  },
  {
    defence: 'A press that was made before the buttons were there does not answer',
    attacks: [11],
    file: 'src/webview/transcript/settled.ts',
    text: 'return pressed - shown >= settleTime;',
    replacement: 'return settleTime > 0 || pressed > shown;',
    tests: [questions],
  },
  {
    defence: 'A link of the system shows a session and does nothing else',
    attacks: [17],
    file: 'src/host/chat/deepLinks.ts',
    text: 'await ports.show(await ports.conversation(session));',
    replacement: `const conversation = await ports.conversation(session);
    await ports.show(conversation);
    await conversation.send('hello');`,
    tests: [hostTests],
  },
  {
    defence: 'A link of the system leads to nothing but a session',
    attacks: [17],
    file: 'src/host/chat/deepLinks.ts',
    text: 'return isSessionId(id) ? id : null;',
    replacement: "return isSessionId(id) ? id : (path.split('/').at(-1) ?? null);",
    tests: [hostTests],
  },
];
