// What a person is asked before an agent of the registry is downloaded: where it comes from, what will run, and a warning if
// nothing proves that the download is what the registry describes. Pure.

import { isPinned, type RegistryAgent, type Way } from '../../../node/registry/registry.ts';
import { typedAs } from './commandWords.ts';

export interface InstallQuestion {
  readonly text: string;
  /** By lines. */
  readonly detail: readonly string[];
  readonly button: string;
  readonly isWarning: boolean;
}

export function installQuestion(agent: RegistryAgent, way: Way): InstallQuestion {
  const { name, version, authors, license } = agent;
  const isWarning = !isPinned(way);
  const variables = Object.entries(way.run.env).map(([variable, value]) => `${variable}=${value}`);
  const detail = [
    [authors.join(', '), license].filter(Boolean).join(' · '),
    '',
    ...(isWarning ? [warningFor(way), ''] : []),
    `Downloads: ${way.kind === 'archive' ? way.url : `${way.package} from ${way.kind === 'uv' ? 'PyPI' : 'npm'}`}`,
    ...(way.kind === 'archive' && !isWarning ? ['The download’s checksum is verified.'] : []),
    `Runs: ${startedAs(way)}`,
    ...(variables.length > 0 ? [`With: ${variables.join(', ')}`] : []),
    '',
    'It runs on this machine with your rights. Throughline did not check what it does.',
  ];
  return {
    text: isWarning ? `Install ${name} ${version} without verifying it?` : `Install ${name} ${version}?`,
    detail,
    button: isWarning ? 'Install Anyway' : 'Install',
    isWarning,
  };
}

function warningFor(way: Way): string {
  return way.kind === 'archive'
    ? 'The registry gives no checksum. If the server was tampered with, you won’t notice.'
    : 'The registry names no version. You get whatever is newest when it’s installed.';
}

function startedAs(way: Way): string {
  switch (way.kind) {
    case 'archive':
      return typedAs(way.run.command, way.run.args);
    case 'npm':
      return typedAs(way.package.replace(/(?<=.)@.*$/, ''), way.run.args);
    case 'uv':
      return typedAs('uvx', [way.package, ...way.run.args]);
  }
}
