// Stands where `vscode` is imported, outside of VS Code, and keeps all that it is handed to show. What VS Code itself
// makes of such texts is tested in full/notify.test.ts.

/** In the order in which it came. */
export const handed: unknown[] = [];

/** What the person answers to all that is shown to them; undefined is to close it. */
export const person: { answer: (given: readonly unknown[]) => unknown } = { answer: () => undefined };

function keep(...given: readonly unknown[]): Promise<unknown> {
  handed.push(given);
  return Promise.resolve(person.answer(given));
}

/** An object of VS Code's: each property that is set is shown, and each method can be called. */
function shownObject(): object {
  return new Proxy<{ [name: string | symbol]: unknown }>(
    { items: [] },
    {
      // It is no promise, though every other method is there.
      get: (target, name) => target[name] ?? (name === 'then' ? undefined : () => undefined),
      set(target, name, value) {
        handed.push({ [name]: value });
        target[name] = value;
        return true;
      },
    },
  );
}

interface Asked {
  readonly validateInput?: (text: string) => unknown;
}

type Run = (
  progress: { readonly report: (step: unknown) => void },
  token: { readonly onCancellationRequested: () => void },
) => Promise<unknown>;

function make(...given: readonly unknown[]): object {
  handed.push(given);
  return shownObject();
}

export const window = {
  showInformationMessage: keep,
  showWarningMessage: keep,
  showErrorMessage: keep,
  showQuickPick: keep,
  showOpenDialog: keep,
  showSaveDialog: keep,
  showInputBox(options: Asked) {
    return keep(options, options.validateInput?.('typed'));
  },
  withProgress(options: unknown, run: Run) {
    handed.push(options);
    return run({ report: step => handed.push(step) }, { onCancellationRequested: () => undefined });
  },
  createQuickPick: shownObject,
  createStatusBarItem: shownObject,
  createWebviewPanel: make,
  createTerminal: make,
};

export const languages = { getDiagnostics: (): unknown => [] };
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const commands = { executeCommand: keep };
export const workspace = { isTrusted: true, textDocuments: [], asRelativePath: (uri: unknown) => String(uri) };
export const ConfigurationTarget = { Global: 1 };
export const ExtensionKind = { UI: 1, Workspace: 2 };
export const ProgressLocation = { Window: 10, Notification: 15 };
export const StatusBarAlignment = { Left: 1 };
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export class ThemeColor {}
export class ThemeIcon {}
export class TreeItem {
  constructor(label: string) {
    handed.push(label);
    return shownObject() as TreeItem;
  }
}
export class EventEmitter<Value> {
  private readonly listeners = new Set<(value: Value) => void>();
  readonly event = (listener: (value: Value) => void) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(value: Value): void {
    for (const listener of this.listeners) listener(value);
  }
  dispose(): void {
    this.listeners.clear();
  }
}
