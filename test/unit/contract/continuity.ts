// What the model behind an agent was told, in every way in which a conversation goes on. Each prompt carries a fact that
// is said once, and each answer another: those of the path are in the model's input exactly once, the answers that an
// agent keeps too, and of other branches there is nothing. What the panel said before is held against it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SendOptions } from '../../../src/core/conversation/terms.ts';
import type { MessageId } from '../../../src/model/message.ts';
import { never } from '../support/scriptedProgram.ts';
import type { Contender } from './contender.ts';
import { over, when, Window } from './window.ts';
import type { Fields } from './wire.ts';

const patience = { timeout: 60_000 };

export function continuityContract(contender: Contender): void {
  const { name, can } = contender;
  const row = (what: string, run: (story: Story) => Promise<void>) =>
    void test(`[C1] ${name}: ${what}`, patience, async t => {
      const story = new Story(await Window.open(t, contender), contender);
      await run(story);
      await story.window.isKept();
    });

  row('one prompt after another', async story => {
    for (const path of ['A', 'AB', 'ABC', 'ABCD']) await story.goOn(path);
  });

  row('after a reload', async story => {
    await story.goOn('A');
    await story.goOn('AB');
    await story.window.reload();
    await story.goOn('ABC');
    await story.window.reload();
    await story.goOn('ABCD');
    await story.goOn('ABCDE');
  });

  row('after a turn that was cancelled', async story => {
    await story.goOn('A');
    await story.begin('B');
    await story.window.conversation.cancel();
    await story.goOn('ABC');
  });

  for (const fork of [false, true])
    row(`a ${fork ? 'fork' : 'branch'} from the middle, and on with both`, async story => {
      const first = await story.goOn('A');
      await story.goOn('AB');
      const left = await story.goOn('ABC');
      const right = await story.goOn('AD', { parent: first, fork });
      await story.goOn('ADE');
      await story.goOn('ABCF', { parent: left });
      await story.goOn('ADG', { parent: right });
      await story.goOn('H', { parent: null });
    });

  row('two branches that alternate, also after a reload', async story => {
    const first = await story.goOn('A');
    let left = await story.goOn('AB');
    let right = await story.goOn('AC', { parent: first });
    left = await story.goOn('ABD', { parent: left });
    right = await story.goOn('ACE', { parent: right });
    await story.window.reload();
    left = await story.goOn('ABDF', { parent: left });
    right = await story.goOn('ACEG', { parent: right });
    await story.goOn('ACEGH');
    await story.goOn('ABDFI', { parent: left });
  });

  row('a change of the agent, and back', async story => {
    const one = story.window.program;
    const other = story.window.agent('other');
    await story.goOn('A');
    await story.window.conversation.setAgent(other);
    await story.goOn('AB');
    await story.goOn('ABC');
    await story.window.conversation.setAgent(one);
    await story.goOn('ABCD');
    await story.goOn('ABCDE');
  });

  if (can.dies) {
    row('after it was killed between two turns', async story => {
      await story.goOn('A');
      await story.goOn('AB');
      await story.kill();
      await story.goOn('ABC');
      await story.goOn('ABCD');
    });

    row('after it was killed in the middle of a turn', async story => {
      await story.goOn('A');
      await story.begin('B');
      await story.kill();
      await over(story.window.conversation);
      await story.goOn('ABC');
      await story.goOn('ABCD');
    });
  }

  if (can.remembers) {
    row('after its session was deleted', async story => {
      await story.goOn('A');
      await story.goOn('AB');
      await story.window.reload(() => story.window.backstage.forget?.());
      await story.goOn('ABC');
      await story.goOn('ABCD');
    });

    if (can.playsBack)
      row('after its session went on without us', async story => {
        await story.goOn('A');
        const [opened] = story.window.wire.asked('session/new');
        const id = opened?.answers[0]?.result?.['sessionId'];
        assert.ok(typeof id === 'string');
        await story.window.reload(() => story.elsewhere(id, 'Z'));
        await story.goOn('AB');
        await story.goOn('ABC');
      });
  }
}

/** A fact is a letter here, and in the prompt a word that stands nowhere else. */
class Story {
  readonly window: Window;
  private readonly contender: Contender;
  private readonly said = new Set<string>();

  constructor(window: Window, contender: Contender) {
    this.window = window;
    this.contender = contender;
  }

  /** Says the last fact of the path, and looks at what the model knew when it answered. Gives the answer's id. */
  async goOn(path: string, options: SendOptions = {}): Promise<MessageId> {
    const fact = path.slice(-1);
    const { conversation, wire, backstage } = this.window;
    await conversation.prepare();
    const { continuity: shown } = await when(conversation, ({ continuity }) => continuity.kind !== 'checking');
    const answer = await this.window.say(this.promptFor(fact), options);
    const question = this.window.questions.pop();
    assert.notEqual(question?.kind, 'failed', JSON.stringify(question));
    assert.equal(answer.end?.reason, 'end_turn', answer.end?.detail);
    const told = backstage.told(factWord(fact), wire.passed);
    for (const one of this.said) {
      const expected = path.includes(one) ? 1 : 0;
      assert.equal(countOf(told, factWord(one)), expected, `${one} of ${path}, of which it is told ${told}`);
      const answered = expected === 1 && one !== fact;
      assert.ok(countOf(told, answerWord(one)) <= Number(answered), `the answer to ${one} of ${path}: ${told}`);
    }
    if (this.contender.can.say)
      for (const one of path.slice(0, -1)) {
        const wasCut = this.cut.has(one);
        assert.equal(countOf(told, answerWord(one)), wasCut ? 0 : 1, `the answer to ${one} of ${path}: ${told}`);
      }
    if (!('parent' in options)) this.isWhatWasShown(question ? 'reseeded' : shown.kind, path);
    return answer.id;
  }

  /** A turn that does not end by itself. */
  async begin(fact: string): Promise<void> {
    this.said.add(fact);
    this.cut.add(fact);
    const { slow } = this.contender;
    await this.window.send(this.contender.note(factWord(fact), { prompt: slow, text: () => Promise.resolve('') }));
    await this.window.firstWords();
  }

  /** Resolves when that is known. */
  async kill(): Promise<void> {
    const agent = await this.window.program.start(never);
    const ended = new Promise(resolve => agent.onDidEnd(resolve));
    this.window.wire.kill();
    await ended;
  }

  /** As a person does who opens the agent's session in a terminal. */
  async elsewhere(session: string, fact: string): Promise<void> {
    const program = this.window.agent('elsewhere');
    const agent = await program.start(never);
    const place = { cwd: this.window.project, alsoIn: [] };
    const again = agent.abilities.resume
      ? await agent.resumeSession(session, place, never)
      : (await agent.loadSession(session, place, never)).session;
    const parts = [{ type: 'text' as const, text: this.promptFor(fact) }];
    const desk = {
      onUpdate() {},
      ask: () => Promise.resolve(null),
      elicit: () => Promise.resolve({ action: 'cancel' as const }),
      onWrite() {},
      onWriting() {},
    };
    const { reason } = await again.prompt({ parts, path: [] }, desk, never);
    assert.equal(reason, 'end_turn');
    await program.stop();
  }

  private readonly cut = new Set<string>();

  private promptFor(fact: string): string {
    this.said.add(fact);
    const { say } = this.contender.can;
    const said = this.contender.answer(fact.charCodeAt(0) - 65);
    return this.contender.note(factWord(fact), say ? { ...said, prompt: say(answerWord(fact)) } : said);
  }

  /** A transcript went out exactly where the line said so, or a question since then, and nothing where it said that nothing is known. */
  private isWhatWasShown(shown: string, path: string): void {
    const { params } = this.window.wire.passed.findLast(({ method }) => method === 'session/prompt') ?? {};
    const parts = params?.['prompt'] as readonly Fields[];
    const isSeeded = parts.some(({ text }) => typeof text === 'string' && text.startsWith('<conversation-history>'));
    assert.equal(shown, path.length === 1 ? 'fresh' : isSeeded ? 'reseeded' : 'remembers');
  }
}

function factWord(letter: string): string {
  return `qzfact${letter}qz`;
}

function answerWord(letter: string): string {
  return `qzanswer${letter}qz`;
}

function countOf(text: string, word: string): number {
  return text.split(word).length - 1;
}
