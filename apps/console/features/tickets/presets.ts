import type { TicketInput } from '../../../../packages/client/src/marquee-client.ts';

/** Presets of tickets for common price schemes. */
export const PRESETS = ['one', 'family', 'front', 'free'] as const;
export type Preset = (typeof PRESETS)[number];

/** A ticket of a preset: its name and its price. */
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
  /** `series`: a pass for all coming dates of the series. */
  scope: 'event' | 'series';
  /** Whether the event has places that its tickets share. */
  hasShared: boolean;
}

/** Tickets that are bought: no RSVPs. */
const SOLD = { provider: 'tc' };

/** Tickets of a preset, in order. */
export function ticketsOf(preset: Preset, values: PresetValues): TicketInput[] {
  const { first, second, places, front, scope, hasShared } = values;
  const shared = { event_capacity: places };
  const own = { mode: places === '' ? ('' as const) : ('own' as const), capacity: places };
  switch (preset) {
    case 'one':
      if (scope === 'series') return [{ ...SOLD, ...first, scope, ticket: hasShared ? { mode: 'global' } : own }];
      return [{ ...SOLD, ...first, ticket: own }];
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
