// What a terminal printed, as lines of coloured text. Promises: colours and weight (SGR) are kept, a line that was
// written over with a carriage return is as it was left, and every other sequence is gone, as in cleanText.ts; it takes
// time in step with the length, whatever is in it. Only the newest lines are kept; how many there were is counted.

/* oxlint-disable no-control-regex -- they are what this file is about */

import { cleanText } from '../transcript/cleanText.ts';
import { plainLook, styledBy, type Look } from './terminalLook.ts';

export interface Run {
  readonly text: string;
  readonly look: Look;
}

export type Line = readonly Run[];

export interface TerminalText {
  /** The newest ones. */
  readonly lines: readonly Line[];
  /** Of all lines, those that are not kept too. */
  readonly count: number;
}

const mostLines = 5000;
/** More pieces than this are text without colour: a page can draw so many and no more. */
const mostRuns = 12_000;
const longestLine = 8000;

const control = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;
/** CSI with its parameters and its last character, which may be missing. */
const command = /(?:\u001b\[|\u009b)([0-?]*)([ -/]*)([@-~]?)/y;
/** OSC, DCS, SOS, PM and APC with all that they carry, when they are closed on the same line. */
const string =
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u0080-\u009f\n]*(?:\u0007|\u001b\\|\u009c)/y;
const escape = /\u001b[ -/]*[0-~]?/y;

export function terminalText(output: string): TerminalText {
  const lines: Line[] = [];
  let count = 0;
  let line: Run[] = [];
  let look = plainLook;
  /** A carriage return came: what is written next stands in place of the line. */
  let returned = false;
  let at = 0;

  const write = (text: string) => {
    if (text === '') return;
    if (returned) line = [];
    returned = false;
    const last = line.at(-1);
    // The same look is the same object, so that neighbours join without being compared field by field.
    if (last?.look === look) line[line.length - 1] = { text: last.text + text, look };
    else line.push({ text, look });
  };
  const finish = () => {
    lines.push(shortened(line));
    count += 1;
    line = [];
    returned = false;
    if (lines.length >= 2 * mostLines) lines.splice(0, lines.length - mostLines);
  };

  while (at < output.length) {
    control.lastIndex = at;
    const found = control.exec(output);
    const end = found?.index ?? output.length;
    write(output.slice(at, end));
    at = end;
    if (!found) break;
    if (found[0] === '\n') finish();
    else if (found[0] === '\r') returned = true;
    const csi = from(command, output, at);
    if (csi?.[3] === 'm' && csi[2] === '') look = styledBy(look, csi[1] ?? '');
    at += (csi ?? from(string, output, at) ?? from(escape, output, at))?.[0].length ?? 1;
  }
  if (line.length > 0) finish();
  return { lines: drawable(lines.slice(-mostLines)), count };
}

export function textOfLine(line: Line): string {
  return line.map(run => run.text).join('');
}

function from(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function shortened(line: Line): Line {
  let left = longestLine;
  const kept: Run[] = [];
  for (const [at, run] of line.entries()) {
    if (run.text.length > left) {
      const rest = line.slice(at).reduce((sum, { text }) => sum + text.length, 0) - left;
      return [...kept, { ...run, text: cleanText(run.text.slice(0, left)) }, { text: more(rest), look: plainLook }];
    }
    left -= run.text.length;
    kept.push({ ...run, text: cleanText(run.text) });
  }
  return kept;
}

function more(characters: number): string {
  return `… ${characters} more characters`;
}

/** Colours are for the newest lines first. */
function drawable(lines: readonly Line[]): readonly Line[] {
  let left = mostRuns;
  return lines
    .toReversed()
    .map(line => {
      left -= line.length;
      return left >= 0 || line.length < 2 ? line : [{ text: textOfLine(line), look: plainLook }];
    })
    .toReversed();
}
