import type { TicketInput } from '../../../../packages/client/src/marquee-client.ts';

/** Presets of tickets for common price schemes. */
export const PRESETS = ['one', 'family', 'front', 'free'] as const;
export type Preset = (typeof PRESETS)[number];

/** A ticket of a preset: its name and its price as they were typed. */
interface Named {
  name: string;
  price: string;
}

export interface PresetValues {
  first: Named;
  second: Named;
  /** Places in all; empty for no limit. */
  places: string;
  /** Of them, places in front. */
  front: string;
}

/** Tickets that are bought, not replied to. */
const SOLD = { provider: 'tc' };

/** Tickets of a preset, in order. */
export function ticketsOf(preset: Preset, { first, second, places, front }: PresetValues): TicketInput[] {
  const shared = { event_capacity: places };
  switch (preset) {
    case 'one':
      return [{ ...SOLD, ...first, ticket: { mode: places === '' ? '' : 'own', capacity: places } }];
    case 'family':
      return [first, second].map((ticket) => ({ ...SOLD, ...ticket, ticket: { mode: 'global', ...shared } }));
    case 'front':
      return [
        { ...SOLD, ...first, ticket: { mode: 'global', ...shared } },
        { ...SOLD, ...second, ticket: { mode: 'capped', capacity: front, ...shared } },
      ];
    case 'free':
      return [{ provider: 'rsvp', name: first.name, price: '', ticket: { mode: 'own', capacity: places } }];
  }
}

export const hasTwo = (preset: Preset): preset is 'family' | 'front' => preset === 'family' || preset === 'front';
