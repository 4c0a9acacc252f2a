// What an agent waits for a person to allow. Promises: nothing is allowed by default or by time; an answer counts once,
// for the question that it names, and only if it is one of that question's choices; a cancel answers what is open. The
// questions are here and not in a panel, so a panel that is closed and opened again shows them as they were.

import type { Permission } from '../../model/agentState.ts';

interface Open {
  readonly permission: Permission;
  readonly close: (choice: string | null) => void;
}

export class PendingPermissions {
  private readonly open = new Map<string, Open>();
  private readonly onDidChange: (open: readonly Permission[]) => void;

  constructor(onDidChange: (open: readonly Permission[]) => void) {
    this.onDidChange = onDidChange;
  }

  /** The id of the person's choice; null where the signal came first. */
  ask(permission: Permission, signal: AbortSignal): Promise<string | null> {
    if (signal.aborted) return Promise.resolve(null);
    return new Promise(resolve => {
      const close = (choice: string | null) => {
        if (!this.open.delete(permission.id)) return;
        signal.removeEventListener('abort', onAbort);
        this.tell();
        resolve(choice);
      };
      const onAbort = () => close(null);
      signal.addEventListener('abort', onAbort, { once: true });
      this.open.set(permission.id, { permission, close });
      this.tell();
    });
  }

  /** False where there is no such question (any more), or no such choice. */
  answer(id: string, choice: string): boolean {
    const asked = this.open.get(id);
    if (!asked?.permission.choices.some(one => one.id === choice)) return false;
    asked.close(choice);
    return true;
  }

  private tell(): void {
    this.onDidChange([...this.open.values()].map(({ permission }) => permission));
  }
}
