import { addDays, type LocalTime } from '../lib/dates/dates.ts';
import { TICKETS } from './city.ts';
import type { PlannedEvent } from './programme.ts';
import type { RandomSource } from './random.ts';
import type { EventTexts, TicketTexts } from './schemas.ts';
import { type Translations, translationsOf } from './translations.ts';

/** A ticket of an event, and the demand for it. */
export interface Offer {
  /** Name and description, in the languages of the event. */
  texts: Translations<TicketTexts>;
  /** As sent by a client. */
  fields: {
    provider: 'tc' | 'rsvp';
    /** Whole units, since some currencies have no minor unit. */
    price?: string;
    start_date?: string;
    end_date?: string;
    menu_order?: number;
    ticket: {
      mode: 'own' | 'global' | 'capped' | '';
      capacity?: number;
      event_capacity?: number;
      not_going?: boolean;
      sale_price?: { checked: true; price: string; start_date: string; end_date: string };
    };
  };
  /** Number of attendees, and of RSVPs that decline. */
  going: number;
  declined: number;
  /** Whether every seat is taken. */
  isFull: boolean;
}

interface OfferContext {
  event: PlannedEvent;
  random: RandomSource;
  /** Start of today in the city's time zone. */
  today: LocalTime;
  /** Lowest and highest price of the event. */
  prices: readonly [low: number, high: number];
}

type Scheme = (context: OfferContext) => Offer[];

const offer = (
  { texts, ...fields }: Offer['fields'] & Pick<Offer, 'texts'>,
  going: number,
  { declined = 0, isFull = false } = {},
): Offer => ({ texts, fields, going, declined, isFull });

const reduced = (price: number): string => String(Math.ceil(price * 0.6));
/** Minimum days before an event for its sale to start in the future. */
const LATER = 21;

/** Each ticket has its own seats. */
const ownSeats: Scheme = ({ random, prices: [low, high] }) => [
  offer(
    {
      provider: 'tc',
      texts: TICKETS['full-price'],
      price: String(high),
      menu_order: 0,
      ticket: { mode: 'own', capacity: random.between(40, 120) },
    },
    random.between(5, 14),
  ),
  offer(
    {
      provider: 'tc',
      texts: TICKETS.reduced,
      price: low < high ? String(low) : reduced(low),
      menu_order: 1,
      ticket: { mode: 'own', capacity: random.between(20, 40) },
    },
    random.between(1, 6),
  ),
];

/** One room: adult and child tickets share its seats, and the front rows are a small part of them. */
const oneRoom: Scheme = ({ random, prices: [low, high] }) => [
  offer(
    {
      provider: 'tc',
      texts: TICKETS.adults,
      price: String(low),
      menu_order: 0,
      ticket: { mode: 'global', event_capacity: 80 },
    },
    random.between(5, 13),
  ),
  offer(
    {
      provider: 'tc',
      texts: TICKETS.children,
      price: reduced(low),
      menu_order: 1,
      ticket: { mode: 'global' },
    },
    random.between(2, 8),
  ),
  offer(
    {
      provider: 'tc',
      texts: TICKETS['front-rows'],
      price: String(low < high ? high : Math.ceil(low * 1.5)),
      menu_order: 2,
      ticket: { mode: 'capped', capacity: 12 },
    },
    random.once(2) ? 12 : random.between(3, 9),
    { isFull: true },
  ),
];

const earlyBird: Scheme = ({ event, random, today, prices: [, high] }) => [
  offer(
    {
      provider: 'tc',
      texts: TICKETS['early-bird'],
      price: String(high),
      ticket: {
        mode: 'own',
        capacity: 60,
        sale_price: {
          checked: true,
          price: String(Math.floor(high * 0.75)),
          start_date: event.published.slice(0, 10),
          end_date: addDays(today, random.between(3, 12)).slice(0, 10),
        },
      },
    },
    random.between(4, 13),
  ),
];

const soldOut: Scheme = ({ random, prices: [low] }) => {
  const capacity = random.between(12, 18);
  return [
    offer({ provider: 'tc', texts: TICKETS.ticket, price: String(low), ticket: { mode: 'own', capacity } }, capacity, {
      isFull: true,
    }),
  ];
};

const noLimit: Scheme = ({ random, prices: [low] }) => [
  offer(
    { provider: 'tc', texts: TICKETS['day-pass'], price: String(low), ticket: { mode: '' } },
    random.between(4, 11),
  ),
];

/** The sale starts on a future day, if the event is far enough away. */
const notYet: Scheme = (context) => {
  const { event, random, today, prices } = context;
  if (event.start < addDays(today, LATER)) return ownSeats(context);
  return [
    offer(
      {
        provider: 'tc',
        texts: TICKETS.admission,
        price: String(prices[1]),
        start_date: addDays(today, random.between(4, LATER - 3)).slice(0, 10),
        ticket: { mode: 'own', capacity: random.between(40, 90) },
      },
      0,
    ),
  ];
};

const anybody: Scheme = ({ random }) => [
  offer({ provider: 'rsvp', texts: TICKETS.coming, ticket: { mode: '', not_going: true } }, random.between(3, 13), {
    declined: random.between(0, 4),
  }),
];

const someSeats: Scheme = ({ random }) => {
  const capacity = random.between(12, 30);
  const isFull = random.once(4);
  return [
    offer(
      {
        provider: 'rsvp',
        texts: TICKETS.chair,
        ticket: { mode: 'own', capacity, not_going: true },
      },
      isFull ? capacity : random.between(4, 11),
      { declined: random.between(0, 3), isFull },
    ),
  ];
};

/** Free admission with a paid extra. */
const withExtras: Scheme = ({ random }) => [
  offer(
    {
      provider: 'rsvp',
      texts: TICKETS['just-me'],
      menu_order: 0,
      ticket: { mode: 'own', capacity: 60 },
    },
    random.between(4, 12),
  ),
  offer(
    {
      provider: 'tc',
      texts: TICKETS.supper,
      price: '18',
      menu_order: 1,
      ticket: { mode: 'own', capacity: 20 },
    },
    random.between(2, 10),
  ),
];

const PAID: readonly [Scheme, ...Scheme[]] = [ownSeats, oneRoom, soldOut, earlyBird, notYet, noLimit];
const FREE: readonly [Scheme, ...Scheme[]] = [anybody, someSeats, anybody, withExtras];

/** Percentage of eligible events that get tickets. */
const SHARE_OF_PAST = 30;
const SHARE_OF_COMING = 58;

/** The tickets of a programme: about half of the future events have some, and a third of the past ones. */
export function planOffers(
  planned: readonly PlannedEvent[],
  { today, random }: { today: LocalTime; random: RandomSource },
): Map<PlannedEvent, Offer[]> {
  const offers = new Map<PlannedEvent, Offer[]>();
  const turns = { paid: 0, free: 0 };
  for (const event of planned) {
    const prices = pricesOf(event);
    const isChosen = random.between(1, 100) <= (event.end < today ? SHARE_OF_PAST : SHARE_OF_COMING);
    if (!prices || !isOpen(event) || !isChosen) continue;
    const kind = prices[1] > 0 ? 'paid' : 'free';
    const schemes = kind === 'paid' ? PAID : FREE;
    const scheme = schemes[turns[kind]++ % schemes.length] ?? anybody;
    const own = scheme({ event, random, today, prices });
    offers.set(
      event,
      own.map((offer) => ({ ...offer, texts: inLanguagesOf(event, offer.texts) })),
    );
  }
  return offers;
}

function inLanguagesOf(event: PlannedEvent, { en, fr, de }: Offer['texts']): Offer['texts'] {
  const translated = translationsOf<EventTexts>(event, event);
  return { en: translated.en && en, fr: translated.fr && fr, de: translated.de && de };
}

/** Statuses that end a sale. */
const CLOSED: ReadonlySet<string | undefined> = new Set(['cancelled', 'postponed']);

const isOpen = ({ status, event_status, flags = [] }: PlannedEvent): boolean =>
  !CLOSED.has(event_status) && (status === undefined || status === 'private') && !flags.includes('hide_from_listings');

/** Zeros for free events and those without a cost; undefined for prices in a foreign currency. */
function pricesOf({ cost = '' }: PlannedEvent): [number, number] | undefined {
  const text = [cost].flat().join(' – ');
  if (/[€£¥]/.test(text)) return undefined;
  const amounts = [...text.matchAll(/\d+(?:[.,]\d+)?/g)].map(([amount]) => Math.ceil(Number(amount.replace(',', '.'))));
  return [Math.min(...amounts, ...(amounts.length > 0 ? [] : [0])), Math.max(0, ...amounts)];
}
