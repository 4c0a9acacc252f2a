// VS Code's storages, as what is kept in them is: text on a disk, which another window reads again.

import type { Memento, SecretStorage } from 'vscode';

export interface Disk {
  text: string;
}

export function mementoOn(disk: Disk): Memento {
  const all = () => JSON.parse(disk.text) as { [key: string]: unknown };
  return {
    keys: () => Object.keys(all()),
    get: (key: string, otherwise?: unknown) => all()[key] ?? otherwise,
    update(key: string, value: unknown) {
      disk.text = JSON.stringify({ ...all(), [key]: value });
      return Promise.resolve();
    },
  } as Memento;
}

export function secretStorage(kept: Map<string, string>): SecretStorage {
  return {
    keys: () => Promise.resolve([...kept.keys()]),
    get: name => Promise.resolve(kept.get(name)),
    store: (name, value) => Promise.resolve(void kept.set(name, value)),
    delete: name => Promise.resolve(void kept.delete(name)),
    onDidChange: () => ({ dispose() {} }),
  };
}
