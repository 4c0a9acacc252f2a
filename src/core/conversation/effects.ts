// Carries out what a step asks for: jobs, whose outcomes go back into the mailbox, and acts. It is the one place of a
// conversation that waits. Nothing is decided here, and nothing that throws gets past it.

import type { MessageId, SessionId } from '../../model/message.ts';
import { noBranches } from '../../model/transcript.ts';
import { historyErrorIn } from '../history/historyError.ts';
import { Tree } from '../history/tree.ts';
import { agentJobs } from './agentEffects.ts';
import { bindingsOf } from './agentLink.ts';
import { blocksFor } from './attaching.ts';
import { decideFiles } from './decisions.ts';
import { look } from './followEffects.ts';
import type { Act, BranchPath, CallId, Effect, Job, JobId, JobKind, Jobs, TimerName, Tried } from './effect.ts';
import { useOf } from './askedPaths.ts';
import type { Input } from './input.ts';
import { outcomeOfFailure } from './saving.ts';
import type { ConversationPorts } from './terms.ts';
import { TurnEffects } from './turnEffects.ts';

export interface Mailbox {
  readonly post: (input: Input) => void;
  readonly reply: (call: CallId, value: unknown) => void;
  readonly fail: (call: CallId, cause: unknown) => void;
}

export type Carry<Kind extends JobKind> = (
  ask: Jobs[Kind]['ask'],
  signal: AbortSignal,
) => Promise<Jobs[Kind]['outcome']>;

export type JobTable = { readonly [Kind in JobKind]: Carry<Kind> };

export class Effects {
  private readonly running = new Map<JobId, AbortController>();
  private readonly timers = new Map<TimerName, () => void>();
  private stopListening = () => {};
  private readonly turns: TurnEffects;
  private readonly jobs: JobTable;
  private readonly session: SessionId;
  private readonly ports: ConversationPorts;
  private readonly mailbox: Mailbox;

  constructor(session: SessionId, ports: ConversationPorts, mailbox: Mailbox) {
    this.session = session;
    this.ports = ports;
    this.mailbox = mailbox;
    this.turns = new TurnEffects(ports.files, mailbox.post);
    this.jobs = { ...this.historyJobs(), ...this.otherJobs(), ...agentJobs(this.turns) };
  }

  run(effect: Effect): void {
    if ('id' in effect) this.start(effect);
    else this.act(effect);
  }

  private start(job: Job): void {
    const controller = new AbortController();
    this.running.set(job.id, controller);
    const done = (outcome: unknown) => {
      this.running.delete(job.id);
      // The compiler doesn't follow which outcome belongs to which kind.
      this.mailbox.post({ type: 'done', kind: job.kind, id: job.id, outcome } as Input);
    };
    // A job's own trouble is in its outcome: what is thrown here is a fault of ours, and must not pass in silence.
    void (this.jobs[job.kind] as Carry<JobKind>)(job, controller.signal).then(done);
  }

  private act(act: Act): void {
    switch (act.kind) {
      case 'abort':
        return this.running.get(act.job)?.abort(act.reason);
      case 'reply':
        return this.mailbox.reply(act.call, act.value);
      case 'fail':
        return this.mailbox.fail(act.call, act.cause);
      case 'answerPermission':
        return this.turns.answerPermission(act.question, act.choice);
      case 'answerElicitation':
        return this.turns.answerElicitation(act.question, act.answer);
      case 'listen': {
        const { session } = act;
        this.stopListening();
        this.stopListening =
          session?.onDidChange(change => this.mailbox.post({ type: 'agentSaid', session, change })) ?? (() => {});
        return;
      }
      case 'closeSession':
        act.session.close().catch(() => {
          // An agent that is gone has closed it, too.
        });
        return;
      case 'endTerminals':
        return act.session.endTerminals();
      case 'restartAgent':
        act.program.stop().catch(() => {
          // It is started anew with the next prompt, whether it ended in order or not.
        });
        return;
      case 'toldFiles':
        return this.turns.told(act.turn, act.paths);
      case 'prepareFiles':
        return this.ports.files?.prepare();
      case 'addRule':
        return this.ports.rules.add(act.rule);
      case 'startTimer': {
        const { timer } = act;
        this.timers.get(timer)?.();
        this.timers.set(
          timer,
          this.ports.clock.after(act.after, () => this.mailbox.post({ type: 'timer', timer })),
        );
        return;
      }
      case 'stopTimer':
        this.timers.get(act.timer)?.();
        this.timers.delete(act.timer);
        return;
    }
  }

  private historyJobs(): Pick<
    JobTable,
    'append' | 'hasMessage' | 'readAlive' | 'readBindings' | 'readPath' | 'findLeaf' | 'moveToTrash' | 'rename' | 'look'
  > {
    const { session } = this;
    const { history } = this.ports;
    return {
      append: ({ facts }) => history.append(session, facts).then(() => ({ kind: 'saved' }), outcomeOfFailure),
      hasMessage: asked => this.hasMessage(asked).catch(() => null),
      readAlive: () => history.alive().catch(() => null),
      readBindings: () =>
        history.fields(session).then(
          fields => (fields ? bindingsOf(fields) : null),
          () => null,
        ),
      readPath: ({ head, isLoading = false }) =>
        tried(async () => {
          try {
            return await this.pathTo(head);
          } catch (cause) {
            if (!isLoading || historyErrorIn(cause)?.code !== 'no-message') throw cause;
            return this.pathTo(undefined);
          }
        }),
      findLeaf: ({ message }) =>
        tried(async () => {
          const tree = new Tree(await history.tree(session));
          return tree.rows.has(message) && !tree.isTrashed(message) ? tree.lastLeafBelow(message) : null;
        }),
      moveToTrash: ({ on }) =>
        tried(async () => {
          await (on ? history.trash(session) : history.restore(session));
          return null;
        }),
      rename: ({ title }) =>
        tried(async () => {
          await history.append(session, [{ type: 'set', session, name: 'givenTitle', value: title }]);
          return title ?? (await history.open(session))?.title ?? null;
        }),
      look: asked => look(session, history, asked),
    };
  }

  private otherJobs(): Pick<
    JobTable,
    'loadAttachments' | 'judgePaths' | 'decide' | 'asksFirst' | 'isAsking' | 'endFiles' | 'findAgent'
  > {
    const { history, attachedText, judgePaths, files } = this.ports;
    const { session } = this;
    const bytes = (ref: Parameters<typeof history.blob>[1]) => history.blob(session, ref);
    const attaching = { ...(attachedText ? { attachedText } : {}), bytes };
    return {
      loadAttachments: ({ program, attached }, signal) =>
        tried(async () => {
          const { abilities } = await program.start(signal);
          return blocksFor(attached, { name: program.ref.name, abilities }, attaching, signal);
        }),
      // Whatever keeps a path from being checked, a person is asked about it.
      judgePaths: ({ permission, paths, cwd }) =>
        judgePaths(paths, useOf(permission), cwd).catch(() => 'the files could not be checked'),
      decide: (asked, signal) =>
        tried(async () => {
          if (!files) return null;
          const onDecided = (path: string, decision: 'kept' | 'undone' | null) =>
            this.mailbox.post({ type: 'fileDecided', message: asked.message.id, path, decision });
          return decideFiles(asked, { files, bytes, onDecided }, signal);
        }),
      asksFirst: async ({ program }) => (await program.asksFirst?.().catch(() => true)) ?? false,
      findAgent: async ({ agent }) => (await this.ports.programOf?.(agent).catch(() => null)) ?? null,
      endFiles: ({ turn }) => this.turns.end(turn),
      isAsking: ({ program }) => Promise.resolve(program.isAsking?.() ?? false),
    };
  }

  /**
   * Null where the whole session is out of sight, as files that a sync client moved: the message may be there, too. One
   * question, because the files may come back between two.
   */
  private async hasMessage({ message }: Jobs['hasMessage']['ask']): Promise<boolean | null> {
    const nodes = await this.ports.history.tree(this.session);
    return nodes.length === 0 ? null : nodes.some(({ id }) => id === message);
  }

  /** Without a head to the session's own. */
  private async pathTo(head: MessageId | null | undefined): Promise<BranchPath> {
    const { history } = this.ports;
    const { session } = this;
    if (head === null)
      return { path: [], branches: (await history.branches(session, null)) ?? noBranches, writing: null };
    const stored = await history.open(session, head);
    return {
      path: stored?.path ?? [],
      branches: stored?.branches ?? noBranches,
      writing: stored?.writing ?? null,
    };
  }
}

export async function tried<Value>(run: () => Promise<Value>): Promise<Tried<Value>> {
  try {
    return { ok: true, value: await run() };
  } catch (cause) {
    return { ok: false, cause };
  }
}
