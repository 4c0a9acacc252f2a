// What a terminal printed, on the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, TerminalOutput } from '../../../src/model/message.ts';
import { styleOf } from '../../../src/webview/tools/terminalLook.ts';
import { terminalText, textOfLine } from '../../../src/webview/tools/terminalText.ts';
import { exitWords, terminalIn, terminalStand } from '../../../src/webview/tools/terminals.ts';
import { assertLinear } from '../support/growth.ts';

const esc = '\u001b';

/** Lines as text, each look before its words. */
function drawn(output: string): string[] {
  return terminalText(output).lines.map(line =>
    line
      .map(({ text, look }) => {
        const style = Object.values(styleOf(look) ?? {})
          .join(' ')
          .replaceAll('var(--vscode-terminal-ansi', '(');
        return style === '' ? text : `{${style}: ${text}}`;
      })
      .join(''),
  );
}

test('[W25] colours and weight of a terminal are kept', () => {
  const rows: readonly (readonly [string, string])[] = [
    [`${esc}[31mred${esc}[0m plain`, '{(Red): red} plain'],
    [`${esc}[1;92;44mx${esc}[22my${esc}[39;49mz`, '{(BrightGreen) (Blue) bold: x}{(BrightGreen) (Blue): y}z'],
    [`${esc}[mx`, 'x'],
    [`${esc}[1m${esc}[;31mx`, '{(Red): x}'],
    [
      `${esc}[38;5;9ma${esc}[38;5;208mb${esc}[48;5;240mc`,
      '{(BrightRed): a}{rgb(255 135 0): b}{rgb(255 135 0) rgb(88 88 88): c}',
    ],
    [`${esc}[38;2;1;2;3ma${esc}[38:2::4:5:6mb${esc}[38:5:1mc`, '{rgb(1 2 3): a}{rgb(4 5 6): b}{(Red): c}'],
    [`${esc}[38;5;16ma${esc}[38;5;231mb${esc}[38;5;232mc`, '{rgb(0 0 0): a}{rgb(255 255 255): b}{rgb(8 8 8): c}'],
    [`${esc}[2;3;4;9mx${esc}[4:0m${esc}[23;29my`, '{italic 0.7 underline line-through: x}{0.7: y}'],
    [`${esc}[7mx${esc}[41my${esc}[27mz`, '{var(--paper) var(--ink): x}{(Red) var(--ink): y}{(Red): z}'],
    [`${esc}[58;5;1;31mx`, '{(Red): x}'],
    [`${esc}[38;5;999mx${esc}[38;2;1mx${esc}[999mx${esc}[?31mx${esc}[31 mx`, 'xxxxx'],
    [`\u009b31mx${esc}[31mx`, '{(Red): xx}'],
  ];
  for (const [output, expected] of rows) assert.deepEqual(drawn(output), [expected], JSON.stringify(output));
});

test('[W25] nothing can be made invisible', () => {
  assert.deepEqual(drawn(`${esc}[8mhidden`), ['hidden']);
  assert.deepEqual(drawn(`${esc}[31;41mhidden`), ['{(Red): hidden}'], 'paper only');
});

test('[W25] a line that was written over is as it was left', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['10%\r50%\r100%\nok\n', ['100%', 'ok']],
    ['100%\r\nnext\r\n', ['100%', 'next']],
    ['100%\r', ['100%']],
    [`10%\r${esc}[K${esc}[32mdone${esc}[0m\r\n`, ['{(Green): done}']],
    ['a\n\n b\n', ['a', '', ' b']],
    ['', []],
    ['\n', ['']],
  ];
  for (const [output, expected] of rows) assert.deepEqual(drawn(output), expected, JSON.stringify(output));
});

test('[W25] every other sequence of a terminal is gone', () => {
  const rows: readonly (readonly [string, string])[] = [
    [`a${esc}[2J${esc}[1;1H${esc}[10Ab`, 'ab'],
    [`${esc}]0;title\u0007x`, 'x'],
    [`${esc}]8;;https://evil.example${esc}\\link${esc}]8;;${esc}\\`, 'link'],
    [`${esc}]52;c;aGk=\u009cx`, 'x'],
    [`${esc}P1$r${esc}\\x${esc}(By${esc}7z`, 'xyz'],
    [`a\u0000\u0008\u0007\u007f\u0085b\tc`, 'ab\tc'],
    [`x${esc}[3`, 'x'],
    [`x${esc}`, 'x'],
    [`${esc}]never closed`, 'never closed'],
    ['a\u202eb\u{e0068}', 'a⟦U+202E⟧b⟦hidden: h⟧'],
  ];
  for (const [output, expected] of rows) assert.deepEqual(drawn(output), [expected], JSON.stringify(output));
});

test('[W25] the newest lines are kept, and all are counted', () => {
  const { lines, count } = terminalText(Array.from({ length: 30_000 }, (_, at) => `line ${at}\n`).join(''));
  assert.equal(count, 30_000);
  assert.equal(lines.length, 5000);
  assert.equal(textOfLine(lines.at(-1) ?? []), 'line 29999');
  const long = terminalText('x'.repeat(9000)).lines[0] ?? [];
  assert.match(textOfLine(long), /^x{8000}… 1000 more characters$/);
  const colourful = terminalText(`${`${esc}[31ma${esc}[32mb`.repeat(1000)}\n`.repeat(20)).lines;
  assert.ok(colourful.reduce((sum, line) => sum + line.length, 0) < 12_100);
  assert.ok((colourful.at(-1)?.length ?? 0) > 1, 'the newest keep their colours');
});

test('[W25] hostile output takes time that grows with its length', () => {
  const seeds = ['[', ']', '[1;', '[m', '[31ma', '[38;2;1;2;3mx', '', 'P', ']0;x\n'].map(rest => esc + rest);
  for (const seed of [...seeds, `${esc}[${'1;'.repeat(1000)}`, '\u009d', '\u009b', '\r', '\n', '\ra', '\u202e'])
    assertLinear(JSON.stringify(seed.slice(0, 20)), 1_000_000, size => {
      terminalText(seed.repeat(Math.ceil(size / seed.length)));
    });
});

const terminal: TerminalOutput = { type: 'terminal', terminalId: 't', output: 'x' };

test('[W25] only what is exactly a terminal is shown as one', () => {
  const rows: readonly (readonly [Json, boolean])[] = [
    [{ ...terminal }, true],
    [{ ...terminal, command: 'ls', cwd: '/', truncated: true, exit: { code: null, signal: 'SIGTERM' } }, true],
    [{ type: 'terminal', terminalId: 't' }, false],
    [{ ...terminal, command: 1 }, false],
    [{ ...terminal, exit: { code: 'x', signal: null } }, false],
    [{ ...terminal, exit: [] }, false],
    [{ ...terminal, type: 'text' }, false],
    ['terminal', false],
    [null, false],
  ];
  for (const [value, expected] of rows) assert.equal(terminalIn(value) !== undefined, expected, JSON.stringify(value));
});

test('[W25] how a terminal ended is said where it did not end well', () => {
  const rows: readonly (readonly [TerminalOutput['exit'], number, boolean, string])[] = [
    [undefined, 3, true, 'Running'],
    [undefined, 3, false, 'How it ended is not known'],
    [{ code: 0, signal: null }, 3, false, ''],
    [{ code: 0, signal: null }, 0, false, 'Done, with no output'],
    [{ code: 127, signal: null }, 1, false, 'Exit code 127'],
    [{ code: null, signal: 'SIG\u001b[1mKILL' }, 1, false, 'Ended by SIGKILL'],
  ];
  for (const [exit, lines, running, expected] of rows) assert.equal(exitWords(exit, lines, running), expected);
  const stand = (...exits: TerminalOutput['exit'][]) =>
    terminalStand({ output: exits.map(exit => ({ ...terminal, ...(exit && { exit }) })) });
  assert.equal(stand(), null);
  assert.deepEqual(stand(undefined), { running: true, words: '' });
  assert.deepEqual(stand({ code: 0, signal: null }, { code: 2, signal: null }), { running: false, words: 'exit 2' });
});
