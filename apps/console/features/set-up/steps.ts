/** The steps of the set-up, in order. The one that is shown stands in the address, so a reload comes back to it. */
export const STEPS = ['password', 'site', 'venue', 'event', 'done'] as const;
export type Step = (typeof STEPS)[number];

export const stepAfter = (step: Step): Step => STEPS[STEPS.indexOf(step) + 1] ?? 'done';
