// "Show Statistics": the page of `statisticsPage.ts` in VS Code's own preview of Markdown. It is made when it is opened;
// asking again makes it anew.

import { commands, Uri, window } from 'vscode';
import { schemes } from '../contributed.ts';

export async function showStatistics(refresh: (uri: Uri) => void): Promise<void> {
  const uri = Uri.from({ scheme: schemes.statistics, path: '/Statistics.md' });
  refresh(uri);
  try {
    await commands.executeCommand('markdown.showPreview', uri);
  } catch {
    // Whoever has switched that extension off reads the text.
    await window.showTextDocument(uri, { preview: true });
  }
}
