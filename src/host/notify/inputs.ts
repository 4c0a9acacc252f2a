// What a person types, and the files they choose in the dialogs of the system.

import { window, type InputBoxOptions, type OpenDialogOptions, type SaveDialogOptions, type Uri } from 'vscode';
import { cleanLine, limits } from './outsideText.ts';

export interface TextQuestion extends Omit<InputBoxOptions, 'validateInput' | 'value' | 'prompt'> {
  readonly prompt: string;
  /** The text to edit stays as it is: it is no markup, and becomes what the person types. */
  readonly value?: string;
  /** What is wrong with the text so far; undefined where nothing is. */
  readonly validate?: (text: string) => string | undefined;
}

/** Undefined where the person pressed Escape. */
export async function askForText({ validate, ...options }: TextQuestion): Promise<string | undefined> {
  const { title, prompt, placeHolder } = options;
  return window.showInputBox({
    ...options,
    prompt: cleanLine(prompt),
    ...(title === undefined ? {} : { title: cleanLine(title, limits.label) }),
    ...(placeHolder === undefined ? {} : { placeHolder: cleanLine(placeHolder, limits.label) }),
    ...(validate && {
      validateInput(text) {
        const wrong = validate(text);
        return wrong === undefined ? undefined : cleanLine(wrong);
      },
    }),
  });
}

/** Empty where the person chose none. */
export async function askForFiles(
  options: OpenDialogOptions & { readonly title: string; readonly openLabel: string },
): Promise<readonly Uri[]> {
  const { title, openLabel } = options;
  const shown = { title: cleanLine(title, limits.label), openLabel: cleanLine(openLabel, limits.label) };
  return (await window.showOpenDialog({ ...options, ...shown })) ?? [];
}

export async function askWhereToSave(
  options: SaveDialogOptions & { readonly title: string },
): Promise<Uri | undefined> {
  return window.showSaveDialog({ ...options, title: cleanLine(options.title, limits.label) });
}
