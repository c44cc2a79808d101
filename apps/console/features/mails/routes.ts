import { createRoute } from '@tanstack/react-router';
import { MAIL_KINDS } from '../../../../src/lib/mail-kinds.ts';
import { MAIL_STATUSES } from '../../shared/mails/mails.ts';
import { filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';

export const mailsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mails',
  validateSearch: filters({
    status: oneOf(...MAIL_STATUSES),
    kind: oneOf(...MAIL_KINDS),
    to: text,
    event: whole,
    page: whole,
  }),
  ...screen(() => import('./mail-list.tsx')),
});

export const eventMailsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/mails',
  validateSearch: filters({
    status: oneOf(...MAIL_STATUSES),
    kind: oneOf(...MAIL_KINDS),
    to: text,
    page: whole,
  }),
  ...screen(() => import('./mail-list.tsx'), 'EventMails'),
});
