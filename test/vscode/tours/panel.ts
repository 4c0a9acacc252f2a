// The scenes of the panel one after the other in one window, then narrow, and at 200%.

import { composer } from '../../e2e/panel.ts';
import { dragChatTo, playScene, sceneNames } from '../stage.ts';
import type { Tour } from './tour.ts';

const narrowed = [
  'conversation',
  'question',
  'signIn',
  'queue',
  'changes',
  'held',
  'attached',
  'firstRun',
  'branches',
  'longTitle',
  'draft',
];

export const panel: Tour = {
  options: { viewport: { width: 1280, height: 900 } },
  async walk({ workbench, state }) {
    await workbench.showChat();
    await composer(workbench).waitFor();
    await dragChatTo(workbench, 420);
    const stand = (name: string) => async () => {
      await playScene(workbench, name);
      await workbench.page.waitForTimeout(200);
      return 'chat' as const;
    };
    for (const name of sceneNames) await state(name, stand(name));
    await dragChatTo(workbench, 250);
    for (const name of narrowed) await state(`narrow-${name}`, stand(name));
    // Half the pixels in each direction are what 200% leaves.
    await workbench.page.setViewportSize({ width: 640, height: 400 });
    for (const name of narrowed) await state(`zoomed-${name}`, stand(name));
  },
};
