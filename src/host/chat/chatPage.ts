// The page of a chat webview, with its script and its style from `dist/webview`. What it may load is contentPolicy.ts's.

import { Uri, type Webview } from 'vscode';
import { contentPolicy } from './contentPolicy.ts';

export function webviewFolder(extensionUri: Uri): Uri {
  return Uri.joinPath(extensionUri, 'dist', 'webview');
}

export function chatPage(webview: Webview, extensionUri: Uri, nonce: string): string {
  const folder = webviewFolder(extensionUri);
  const address = (file: string) => webview.asWebviewUri(Uri.joinPath(folder, file)).toString();
  const policy = contentPolicy(nonce, webview.cspSource);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Throughline</title>
<link rel="stylesheet" href="${address('main.css')}">
</head>
<body>
<div id="root"></div>
<script type="module" nonce="${nonce}" src="${address('main.js')}"></script>
</body>
</html>`;
}
