// Whether VS Code has models of its own, from other extensions. It asks for none: that needs the person's word, which they
// give when the first message is sent.

import { lm } from 'vscode';

/** Those who provide them are started for it, and may take their time. */
const patience = 2000;

export async function editorHasModels(): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<readonly unknown[]>(resolve => {
    timer = setTimeout(() => resolve([]), patience);
  });
  try {
    return (await Promise.race([lm.selectChatModels(), late])).length > 0;
  } catch {
    // Whoever provides them is in trouble: then there are none now.
    return false;
  } finally {
    clearTimeout(timer);
  }
}
