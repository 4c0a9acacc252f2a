// A person who never allowed anything for good.

import type { AllowRules } from '../../../src/core/conversation/allowRules.ts';

export const noRules: AllowRules = { all: () => [], add() {} };
