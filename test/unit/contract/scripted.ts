// The scripted agent as a contender: a process, with what it can and how it misbehaves told by flags.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openChild } from '../../../src/node/acp/childProcess.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { temporaryFolder } from '../support/history.ts';
import { commandLine } from '../support/scriptedProgram.ts';
import type { Step } from '../../agents/plays.ts';
import type { Backstage, Contender, Said } from './contender.ts';
import { escaped } from './orders.ts';
import type { Case } from './runner.ts';

/** As a prompt says it: with escapes, so that no word of an answer stands in the prompt. */
export function play(steps: readonly Step[]): string {
  const said = /(?<="(?:say|think)":)"(?:[^"\\]|\\.)*"/g;
  return `play: ${JSON.stringify(steps).replaceAll(said, words => escaped(JSON.parse(words) as string))}`;
}

function saying(words: readonly string[]): Said {
  return { prompt: play(words.map(say => ({ say }))), text: () => Promise.resolve(words.join('')) };
}

const update = (sessionUpdate: string, more: object) => ({ update: { sessionUpdate, ...more } });

const tour: readonly Step[] = [
  { think: 'Let me ' },
  { think: 'see.' },
  { say: 'I look' },
  { say: ' at it.' },
  update('tool_call', { toolCallId: 'c1', title: 'Read it', kind: 'read', status: 'in_progress' }),
  update('tool_call_update', { toolCallId: 'c1', status: 'completed' }),
  { say: 'Another' },
  update('plan', { entries: [{ content: 'Leap', priority: 'low', status: 'pending' }] }),
  update('agent_message_chunk', { content: { type: 'text', text: ' one' }, messageId: 'm2' }),
  { say: ' and the end' },
];

/** It asks as real agents do, and writes only if it may. */
function writing(path: string, content: string): readonly Step[] {
  const diff = { type: 'diff', path, oldText: null, newText: content };
  const call = { toolCallId: 'w1', title: `Write ${path}`, kind: 'edit', locations: [{ path }], content: [diff] };
  return [
    update('tool_call', { ...call, status: 'pending' }),
    { ask: { toolCall: call, options } },
    { ifAllowed: [{ call: { method: 'fs/write_text_file', params: { path, content } } }] },
    { say: 'So it is.' },
  ];
}

const options = [
  { optionId: 'o7', name: 'Never', kind: 'reject_always' },
  { optionId: 'o3', name: 'Just now', kind: 'allow_once' },
  { optionId: 'o1', name: 'Do not', kind: 'reject_once' },
];

export function theScripted(name: string, flags: readonly string[], can: Contender['can'] = {}): Contender {
  return {
    name,
    id: 'scripted',
    setUp: t => Promise.resolve(backstage(t, flags)),
    answer: n => saying(Array.from({ length: 40 }, (_, at) => `${n}: piece ${at} of it.\n`)),
    tour: () => play(tour),
    slow: play([{ say: 'half' }, { untilCancel: true }]),
    note: (words, { prompt }) => `${words}\n${prompt}`,
    can: {
      say: words => play([{ say: words }]),
      long(characters) {
        const count = Math.ceil(characters / 6);
        const all = () => Promise.resolve(Array.from({ length: count }, (_, n) => `${n} `).join(''));
        return { prompt: play([{ flood: count }]), text: all };
      },
      write: (path, content) => play(writing(path, content)),
      writesThroughUs: true,
      complain: words => play([{ stderr: `${words}\n` }, { say: 'half' }, { untilCancel: true }]),
      dies: true,
      remembers: true,
      ...can,
    },
  };
}

function backstage(t: Case, flags: readonly string[]): Backstage {
  const home = join(temporaryFolder(t), 'sessions');
  const log = join(temporaryFolder(t), 'log');
  const line = commandLine(flags, { SCRIPTED_HOME: home, SCRIPTED_LOG: log });
  return {
    open: onWarning => openChild(line, systemClock, onWarning),
    told(word) {
      const lines = readFileSync(`${log}.knows`, 'utf8').trim().split('\n');
      // The prompt is what it was told last.
      const told = lines.findLast(line => (JSON.parse(line) as readonly string[]).at(-1)?.includes(word));
      if (told === undefined) throw new Error(`Nobody was told of ${word}.`);
      return told;
    },
    forget() {
      for (const name of readdirSync(home)) rmSync(join(home, name));
    },
  };
}
