// The page of a chat webview. It may load its own script and style from `dist/webview` and nothing else: no inline
// script, no remote image (a picture comes as bytes from the host), no connection, and no HTML made from strings (Trusted Types without a policy).

import { Uri, type Webview } from 'vscode';

export function webviewFolder(extensionUri: Uri): Uri {
  return Uri.joinPath(extensionUri, 'dist', 'webview');
}

export function chatPage(webview: Webview, extensionUri: Uri, nonce: string): string {
  const folder = webviewFolder(extensionUri);
  const address = (file: string) => webview.asWebviewUri(Uri.joinPath(folder, file)).toString();
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `img-src data: blob:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
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
