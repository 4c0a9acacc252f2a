// The door: what VS Code loads when one of our views, commands, editors or links is asked for. It registers all of them, and
// knows nothing; who answers is the composition, which is loaded with the first question. So a window that activates us
// pays for little, and what registers is in one place.

import {
  CodeAction,
  CodeActionKind,
  commands,
  EventEmitter,
  languages,
  window,
  workspace,
  type CodeActionProvider,
  type ExtensionContext,
  type Uri,
} from 'vscode';
import type { Composition } from './composition.ts';
import {
  chatPanelType,
  chatViewId,
  openTraceCommand,
  schemes,
  sessionsViewId,
  showMoreCommand,
} from './contributed.ts';
import { once } from './once.ts';
import type { SessionNode } from './sessions/sessionTreeModel.ts';

let close: () => Promise<void> = () => Promise.resolve();

export function activate(context: ExtensionContext): void {
  const treeChanged = new EventEmitter<SessionNode | undefined>();
  const textChanged = new EventEmitter<Uri>();
  const composition = once(async (): Promise<Composition> => {
    const { compose } = await import('./composition.ts');
    return compose(context, { view: sessions, treeChanged, textChanged });
  });
  const sessions = window.createTreeView<SessionNode>(sessionsViewId, {
    treeDataProvider: {
      onDidChangeTreeData: treeChanged.event,
      getChildren: async node => (await composition()).tree.getChildren(node),
      getTreeItem: async node => (await composition()).tree.getTreeItem(node),
      getParent: async node => (await composition()).tree.getParent(node),
      resolveTreeItem: async (item, node) => (await composition()).tree.resolveTreeItem(item, node),
    },
    canSelectMany: true,
    showCollapseAll: true,
  });
  const texts = {
    onDidChange: textChanged.event,
    provideTextDocumentContent: async (uri: Uri) => (await composition()).text(uri),
  };
  const { contributes } = context.extension.packageJSON as Manifest;
  context.subscriptions.push(
    treeChanged,
    textChanged,
    sessions,
    ...[...contributes.commands.map(({ command }) => command), showMoreCommand, openTraceCommand].map(name =>
      commands.registerCommand(name, async (...given: unknown[]) => (await composition()).run(name, given)),
    ),
    window.registerWebviewViewProvider(chatViewId, {
      resolveWebviewView: async view => (await composition()).chat.resolveWebviewView(view),
    }),
    window.registerWebviewPanelSerializer(chatPanelType, {
      deserializeWebviewPanel: async (panel, state) =>
        (await composition()).panels.deserializeWebviewPanel(panel, state),
    }),
    window.registerUriHandler({ handleUri: async uri => (await composition()).follow(uri) }),
    ...Object.values(schemes).map(scheme => workspace.registerTextDocumentContentProvider(scheme, texts)),
    languages.registerCodeActionsProvider('*', atProblems, { providedCodeActionKinds: [CodeActionKind.QuickFix] }),
  );
  close = async () => {
    if (composition.started()) await (await composition()).close();
  };
}

export function deactivate(): Promise<void> {
  return close();
}

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

/** The problems view has no menu for extensions; what it offers for a problem are the actions at its place. */
const atProblems: CodeActionProvider = {
  provideCodeActions({ uri }, _range, { diagnostics, only }) {
    if (only && !only.intersects(CodeActionKind.QuickFix)) return [];
    return diagnostics.map(diagnostic => {
      const action = new CodeAction('Add Problem to Chat', CodeActionKind.QuickFix);
      action.diagnostics = [diagnostic];
      action.command = {
        title: action.title,
        command: 'throughline.addProblemToChat',
        arguments: [uri, diagnostic],
      };
      return action;
    });
  },
};
