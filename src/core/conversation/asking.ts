// What an agent asks of a person, in turns and while it signs them in. Promises: nothing is allowed by default; a rule of
// the person's answers in their place, and says so; a choice that the agent should remember and has forgotten becomes
// one that a rule can remember.

import { alwaysByRule, type Elicitation, type ElicitationAnswer, type Permission } from '../../model/agentState.ts';
import { answerFits } from '../../model/form.ts';
import type { PermissionAnswer } from '../../model/message.ts';
import type { TranscriptEvent } from '../../model/transcript.ts';
import { allowOnce, fits, isSameRule, ruleFor, withRule, type AllowRule, type AllowRules } from './allowRules.ts';
import { Pending } from './pending.ts';

export interface AskingPorts {
  readonly agent: () => string;
  readonly rules: AllowRules;
  readonly show: (event: TranscriptEvent) => void;
}

export interface Asked {
  /** The agent's own id of it; null where nobody chose. */
  readonly choice: string | null;
  readonly answer: PermissionAnswer;
}

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

  async permission(permission: Permission, signal: AbortSignal): Promise<Asked> {
    const rule = ruleFor(this.ports.agent(), permission);
    const once = allowOnce(permission.choices);
    if (rule && once && this.ports.rules.all().some(one => isSameRule(one, rule)))
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

  answerElicitation(id: string, answer: ElicitationAnswer): boolean {
    return this.elicitations.answer(id, answer);
  }
}
