// The allow rules of this workspace: what a person answered with "Always". Promises: they lie in VS Code's own storage for
// the workspace and never in a file of it, so that no workspace can bring one; what is read there is checked; a rule that
// is taken back counts no more, also for a turn that runs.

import type { Memento } from 'vscode';
import { isSameRule, type AllowRule, type AllowRules } from '../../core/conversation/allowRules.ts';

export interface KeptRule extends AllowRule {
  /** Milliseconds since the epoch. */
  readonly added: number;
}

export interface WorkspaceRulesPorts {
  readonly state: Memento;
  readonly now: () => number;
  /** It could not be kept, or taken away, for longer than this window lives. */
  readonly onFailure: (cause: unknown) => void;
}

const key = 'allowRules';

export class WorkspaceRules implements AllowRules {
  private readonly ports: WorkspaceRulesPorts;

  constructor(ports: WorkspaceRulesPorts) {
    this.ports = ports;
  }

  /** Asked for each question, and read each time: another window may have added or removed some. */
  readonly all = (): readonly KeptRule[] => {
    const kept = this.ports.state.get<unknown>(key);
    return Array.isArray(kept) ? kept.flatMap(ruleIn) : [];
  };

  readonly add = (rule: AllowRule): void => {
    const others = this.all().filter(one => !isSameRule(one, rule));
    this.keep([...others, { ...rule, added: this.ports.now() }]);
  };

  remove(rule: AllowRule): void {
    this.keep(this.all().filter(one => !isSameRule(one, rule)));
  }

  removeAll(): void {
    this.keep([]);
  }

  private keep(rules: readonly KeptRule[]): void {
    // What `get` gives has changed when this returns; the promise is about the disk.
    this.ports.state.update(key, rules.length > 0 ? rules : undefined).then(undefined, this.ports.onFailure);
  }
}

function ruleIn(value: unknown): readonly KeptRule[] {
  if (typeof value !== 'object' || value === null) return [];
  const { agent, tool, command, words, added } = value as { readonly [field: string]: unknown };
  const isRule =
    typeof agent === 'string' &&
    typeof tool === 'string' &&
    (command === null || typeof command === 'string') &&
    typeof words === 'string' &&
    typeof added === 'number';
  return isRule ? [{ agent, tool, command, words, added }] : [];
}
