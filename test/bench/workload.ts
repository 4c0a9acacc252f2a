// A realistic history, the same for the same seed: sessions of very different lengths, turns of about 4.5 messages and
// 16 KB, most of it tool output, with the quotes, backslashes and line breaks of code, and some text that is not ASCII.
// The first session of a history has a path of a thousand messages. It writes nothing and knows no engine.

import { json, markdown, plain, type AgentRef, type Block, type Message } from '../../src/model/message.ts';
import type { Fact } from '../../src/model/record.ts';
import { randomFrom } from '../unit/support/random.ts';

export interface Turn {
  readonly session: string;
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly messages: readonly Message[];
  /** The first of its session. */
  readonly first: boolean;
}

const longPath = 1000;
const agent: AgentRef = { id: 'bench', name: 'Bench agent' };
const words =
  'the of const return await function index value "name" if (error) { } => \\n path/to/file.ts import from test number ' +
  'session message block [0] === undefined; // and that with for each item: string, "quoted" it should then be written ' +
  'again before we read what came back from disk  \t  { "type": "text", "id": 17 },';
const wordsOfTheWorld = 'café naïve größer 会话 消息 历史 こんにちは 저장 файл — “quoted” … ✓ and then';

export class Workload {
  private readonly random: () => number;
  private readonly ascii: string;
  private readonly world: string;
  private time = 1_750_000_000_000;
  private count = 0;

  constructor(seed: number) {
    this.random = randomFrom(seed);
    this.ascii = this.corpus(words, 1 << 20);
    this.world = this.corpus(wordsOfTheWorld, 1 << 16);
  }

  /** Turns until there are at least so many messages. */
  *history(messages: number): Generator<Turn> {
    for (let made = 0, session = 0; made < messages; session++) {
      const conversation = this.conversation();
      const turns = session === 0 ? Infinity : this.logNormal(12, 1, 150);
      const end = session === 0 ? Math.min(messages, longPath) : messages;
      for (let turn = 0; turn < turns && made < end; turn++) {
        const next = conversation();
        made += next.messages.length;
        yield next;
      }
    }
  }

  /** One session: each call is its next turn. */
  conversation(): () => Turn {
    const session = this.id(12);
    const title = this.text(40);
    let parent: string | null = null;
    return () => {
      const first = parent === null;
      const messages: Message[] = [];
      const add = (role: 'user' | 'assistant', blocks: readonly Block[]) => {
        const created = (this.time += 1000);
        const message: Message = {
          id: this.id(14),
          session,
          parent,
          role,
          created,
          ...(role === 'user' ? {} : { agent }),
          blocks,
          end: { reason: 'end_turn', at: created + 900 },
        };
        messages.push(message);
        parent = message.id;
      };
      add('user', [{ kind: 'text', mime: markdown, text: this.text(this.logNormal(200, 1.2, 8000)) }]);
      const answers = 2 + Math.floor(this.random() * 4);
      for (let answer = 0; answer < answers; answer++) add('assistant', this.answer());
      return { session, title, facts: factsOf(session, title, messages, first), messages, first };
    };
  }

  /** The blocks of one answer: sometimes a thought, mostly text, mostly a tool call with its output. */
  answer(): readonly Block[] {
    const blocks: Block[] = [];
    if (this.random() < 0.3)
      blocks.push({ kind: 'thought', mime: plain, text: this.text(this.logNormal(300, 1, 6000)) });
    blocks.push({ kind: 'text', mime: markdown, text: this.text(this.logNormal(500, 1, 20_000)) });
    if (this.random() < 0.8) blocks.push(this.toolCall());
    return blocks;
  }

  text(length: number): string {
    const source = this.random() < 0.05 ? this.world : this.ascii;
    const from = Math.floor(this.random() * (source.length - length));
    return source.slice(Math.max(0, from), Math.max(0, from) + Math.ceil(length));
  }

  /** Many small, few large: `median` in the middle, never over `most`. */
  logNormal(median: number, sigma: number, most: number): number {
    const gauss = Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random());
    return Math.ceil(Math.min(most, median * Math.exp(sigma * gauss)));
  }

  id(length: number): string {
    // The number makes it unique, the rest makes it fall anywhere in an index, as a real one does.
    let id = (this.count++).toString(30).padStart(5, '0');
    while (id.length < length) id = Math.floor(this.random() * 30).toString(30) + id;
    return id;
  }

  private toolCall(): Block {
    const path = `src/${this.id(6)}/${this.id(8)}.ts`;
    return {
      kind: 'toolCall',
      mime: json,
      callId: this.id(16),
      title: `Read ${path}`,
      tool: 'read',
      status: 'completed',
      locations: [{ path, line: Math.floor(this.random() * 500) }],
      input: { path, query: this.text(this.logNormal(80, 1, 2000)) },
      output: [{ type: 'text', text: this.text(this.logNormal(1700, 1.5, 200_000)) }],
    };
  }

  private corpus(from: string, length: number): string {
    const parts = from.split(' ');
    let text = '';
    while (text.length < length) {
      text += parts[Math.floor(this.random() * parts.length)];
      text += this.random() < 0.08 ? '\n  ' : ' ';
    }
    // Through bytes, so that it is one flat string: the slices of a rope would be paid for by whoever reads first.
    return Buffer.from(text).toString();
  }
}

function factsOf(session: string, title: string, messages: readonly Message[], first: boolean): readonly Fact[] {
  const facts: Fact[] = [];
  const created = messages[0]?.created ?? 0;
  if (first)
    facts.push({ type: 'session', session, created, agent }, { type: 'set', session, name: 'title', value: title });
  for (const { session: _session, ...message } of messages) facts.push({ type: 'message', session, message });
  facts.push({ type: 'set', session, name: 'head', value: messages.at(-1)?.id ?? null });
  return facts;
}
