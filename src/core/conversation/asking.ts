// What an agent asks of a person, in turns and while it signs them in. Promises: nothing is allowed by default; a rule of
// the person's answers in their place, and says so; a choice that the agent should remember and has forgotten becomes
// one that a rule can remember. No rule answers for what a person has to look at each time.

import { alwaysByRule, type Elicitation, type ElicitationAnswer, type Permission } from '../../model/agentState.ts';
import { answerFits } from '../../model/form.ts';
import type { AgentRef, PermissionAnswer } from '../../model/message.ts';
import type { TranscriptEvent } from '../../model/transcript.ts';
import type { JudgePaths } from '../files.ts';
import {
  allowOnce,
  covers,
  fits,
  isSameRule,
  ruleFor,
  withRule,
  type AllowRule,
  type AllowRules,
} from './allowRules.ts';
import { pathsIn, useOf } from './askedPaths.ts';
import { Pending } from './pending.ts';
import { remoteSchemas } from './remoteSchemas.ts';

export interface AskingPorts {
  /** Whose questions these are, and where it works. */
  readonly asker: () => { readonly agent: AgentRef; readonly cwd: string | null };
  readonly rules: AllowRules;
  readonly judgePaths: JudgePaths;
  readonly show: (event: TranscriptEvent) => void;
}

export interface Asked {
  /** The agent's own id of it; null where nobody chose. */
  readonly choice: string | null;
  readonly answer: PermissionAnswer;
}

/** Each is looked up on the disk. */
const mostPaths = 256;

export class Asking {
  private readonly permissions: Pending<Permission, string>;
  private readonly elicitations: Pending<Elicitation, ElicitationAnswer>;
  /** What the person allowed for ever; an agent that asks again has forgotten it. */
  private readonly allowed: AllowRule[] = [];
  private readonly ports: AskingPorts;

  constructor(ports: AskingPorts) {
    this.ports = ports;
    this.permissions = new Pending({
      fits,
      onDidChange: permissions => ports.show({ type: 'permissionsChanged', permissions }),
    });
    this.elicitations = new Pending({
      fits: answerFits,
      onDidChange: elicitations => ports.show({ type: 'elicitationsChanged', elicitations }),
    });
  }

  async permission(asked: Permission, signal: AbortSignal): Promise<Asked> {
    const paths = pathsIn(asked);
    const judged = paths.length === 0 ? null : await this.judge(paths, asked);
    if (signal.aborted) return { choice: null, answer: { choice: null, allowed: false } };
    const schemas = remoteSchemas(asked).map(host => `it names a schema on ${host}, which the editor would download`);
    const whys = new Set([asked.why, judged, ...schemas].filter(why => typeof why === 'string'));
    const permission = whys.size === 0 ? asked : { ...asked, why: [...whys].join(', and ') };
    const rule = ruleFor(this.ports.asker().agent.id, permission);
    const once = allowOnce(permission.choices);
    if (rule && once && this.ports.rules.all().some(one => covers(one, rule)))
      return { choice: once.id, answer: { choice: `Always ${rule.words}`, allowed: true, byRule: true } };
    const isForgotten = rule !== null && this.allowed.some(one => isSameRule(one, rule));
    const choice = await this.permissions.ask(withRule(permission, rule, isForgotten), signal);
    if (choice === alwaysByRule && rule && once) {
      this.ports.rules.add(rule);
      return { choice: once.id, answer: { choice: `Always ${rule.words}`, allowed: true } };
    }
    const chosen = permission.choices.find(({ id }) => id === choice);
    if (rule && chosen?.kind === 'allow_always') this.allowed.push(rule);
    const allowed = chosen?.kind === 'allow_once' || chosen?.kind === 'allow_always';
    return { choice, answer: { choice: chosen?.name ?? null, allowed } };
  }

  async elicit(elicitation: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer> {
    return (await this.elicitations.ask(elicitation, signal)) ?? { action: 'cancel' };
  }

  /** False where nobody waits for it any more, or it is none of its choices. */
  answerPermission(id: string, choice: string): boolean {
    return this.permissions.answer(id, choice);
  }

  /** All of it stands in an editor now. */
  openedPermission(id: string): void {
    this.permissions.change(id, permission => ({ ...permission, opened: true }));
  }

  answerElicitation(id: string, answer: ElicitationAnswer): boolean {
    return this.elicitations.answer(id, answer);
  }

  private async judge(paths: readonly string[], permission: Permission): Promise<string | null> {
    if (paths.length > mostPaths) return `it names ${paths.length} files, too many to check`;
    try {
      return await this.ports.judgePaths(paths, useOf(permission), this.ports.asker().cwd);
    } catch {
      // Whatever keeps a path from being checked, a person is asked about it.
      return 'the files could not be checked';
    }
  }
}
