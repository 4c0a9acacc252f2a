// What the model of a test answers, told by the person's own words: each line of a prompt that is an order is one answer
// of the model, in their order, so that a tool call and what is said after it are two lines. Pure; how a vendor spells
// requests and answers is in `openai.ts` and `anthropic.ts`. The words of an order are JSON, and a test may spell them
// with escapes, so that they stand in the answer and nowhere in the prompt.

/** One answer of the model. */
export type Move =
  | { readonly say: string }
  /** So many characters, the same each time. */
  | { readonly long: number }
  /** Says this, and then nothing more, and does not end either. */
  | { readonly hang: string }
  | { readonly write: { readonly path: string; readonly content: string } }
  | { readonly run: string };

export interface OfferedTool {
  readonly name: string;
  readonly required: readonly string[];
}

/** A request as every vendor's can be told: what the person said, and how often was answered since. */
export interface Heard {
  /** The texts of the last message that has an order in it; empty where none has. */
  readonly order: string;
  readonly answered: number;
  readonly tools: readonly OfferedTool[];
}

export interface ToolUse {
  readonly name: string;
  readonly input: { readonly [field: string]: string };
}

/** What is streamed; `open` keeps the stream open after it. */
export interface Reply {
  /** What it thought first, where it was told to; the same each time. */
  readonly thought?: string;
  readonly pieces: readonly string[];
  readonly tool: ToolUse | null;
  readonly open: boolean;
}

const order = /^(say|long|hang|write|run): (.+)$/gm;

/** Where an agent tells of a conversation, the orders in it were given earlier. */
export function ordersIn(text: string): readonly Move[] {
  const last = text.slice(text.lastIndexOf('</conversation-history>') + 1);
  return [...last.matchAll(order)].map(([, kind, words]) => ({ [kind ?? '']: JSON.parse(words ?? '') }) as Move);
}

export function hasOrder(text: string): boolean {
  return ordersIn(text).length > 0;
}

export function replyTo({ order: text, answered, tools }: Heard): Reply {
  // A request without tools is for something beside the conversation, as a title.
  const move = tools.length === 0 ? { say: 'Beside it' } : (ordersIn(text)[answered] ?? { say: 'That is all.' });
  if ('say' in move) return { pieces: piecesOf(move.say), tool: null, open: false };
  if ('hang' in move) return { pieces: [move.hang], tool: null, open: true };
  if ('long' in move) return { pieces: piecesOf(longText(move.long)), tool: null, open: false };
  const wanted = 'write' in move ? /^write(_file)?$/i : /^(bash|shell|run_shell_command|run_command)$/i;
  const tool = tools.find(({ name }) => wanted.test(name));
  if (!tool) return { pieces: [`There is no tool for this among ${tools.length}.`], tool: null, open: false };
  return { pieces: [], tool: { name: tool.name, input: inputFor(tool, move) }, open: false };
}

/** Lines with their numbers: what is missing, twice or in the wrong place shows. */
export function longText(characters: number): string {
  const lines: string[] = [];
  for (let length = 0, n = 0; length < characters; n++) {
    const line = `${String(n).padStart(7, '0')} ${'abcdefgh'.repeat(14)}\n`;
    lines.push(line);
    length += line.length;
  }
  return lines.join('').slice(0, characters);
}

/** As models stream: a few letters each, but not a million events for a long text. */
function piecesOf(text: string): readonly string[] {
  const size = Math.max(8, Math.ceil(text.length / 2000));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
}

/** Agents name the same things differently; whatever else they want gets words. */
function inputFor({ required }: OfferedTool, move: Move): ToolUse['input'] {
  const known: { readonly [field: string]: string } =
    'write' in move
      ? { filePath: move.write.path, file_path: move.write.path, path: move.write.path, content: move.write.content }
      : { command: 'run' in move ? move.run : '' };
  return Object.fromEntries(required.map(field => [field, known[field] ?? 'A test']));
}
