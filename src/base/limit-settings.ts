import { setting } from './setting.ts';
import { limit, limits } from './setting-values.ts';

/** Settings of what one visitor, address or account may do in a time. */
export const limitSettings = {
  secretGuesses: setting(
    'MARQUEE_SECRET_GUESSES',
    'Failed attempts per kind of secret in 15 minutes, from one address and for one account. 0 for no limit.',
    limits('50,10', 'perAddress', 'perAccount'),
  ),
  mailedLinks: setting(
    'MARQUEE_MAILED_LINKS',
    'Sign-in links that may be requested by mail in an hour: for one e-mail address and purpose, and from one network. In total, fifty times the second number. 0 for no limit.',
    limits('5,20', 'perMailbox', 'perAddress'),
  ),
  heldPerAddress: setting(
    'MARQUEE_HELD_PER_ADDRESS',
    'Places that visitors at one address may hold in carts and unpaid orders. 0 for no limit.',
    limit().prefault('200'),
  ),
  keptPerAddress: setting(
    'MARQUEE_KEPT_PER_ADDRESS',
    'Places that visitors at one address may leave unpaid for more than 30 minutes. 0 for no limit.',
    limit().prefault('20'),
  ),
  cartsPerAddress: setting(
    'MARQUEE_CARTS_PER_ADDRESS',
    'Open carts of visitors at one address. 0 for no limit.',
    limit().prefault('100'),
  ),
  openOrders: setting(
    'MARQUEE_OPEN_ORDERS',
    'Unpaid orders of visitors, from one address and by one e-mail address. 0 for no limit.',
    limits('20,3', 'perAddress', 'perEmail'),
  ),
  cartRate: setting(
    'MARQUEE_CART_RATE',
    'Changes of carts and checkouts per minute by visitors at one address. 0 for no limit.',
    limits('60,20', 'writes', 'checkouts'),
  ),
  freePlaces: setting(
    'MARQUEE_FREE_PER_ADDRESS',
    'Free places that one address, and one e-mail address, may take in 24 hours by RSVPs and orders. 0 for no limit.',
    limits('50,50', 'perAddress', 'perEmail'),
  ),
  repliesPerAddress: setting(
    'MARQUEE_REPLIES_PER_ADDRESS',
    'Old name of the first number of MARQUEE_FREE_PER_ADDRESS.',
    limit().optional(),
    { preset: 'the first number of MARQUEE_FREE_PER_ADDRESS' },
  ),
  heavyReads: setting(
    'MARQUEE_HEAVY_READS',
    'Calendars of more than 100 events, ticket images and documents per minute for visitors at one address. 0 for no limit.',
    limit().prefault('60'),
  ),
  ticketMails: setting(
    'MARQUEE_TICKET_MAILS',
    'Mails with links to orders that visitors may request in an hour: from one network, and in total. 0 for no limit.',
    limits('10,500', 'perAddress', 'overall'),
  ),
  mailCopies: setting(
    'MARQUEE_MAIL_COPIES',
    'How often staff may resend one mail in 24 hours, and how many resent and test mails one mailbox may get. 0 for no limit.',
    limits('10,30', 'perMail', 'perMailbox'),
  ),
  staffMails: setting(
    'MARQUEE_STAFF_MAILS',
    'Mails that one account may cause in 24 hours: resent and test mails, and mails of announcements, sales and changed addresses of customers. The second limit does not apply to accounts that manage the attendees of all events. 0 for no limit.',
    limits('100,10000', 'copies', 'others'),
  ),
  seriesEvents: setting(
    'MARQUEE_SERIES_EVENTS',
    'Events that the series of one account may make in 24 hours, unless the account may edit all events. 0 for no limit.',
    limit().prefault('5000'),
  ),
};
