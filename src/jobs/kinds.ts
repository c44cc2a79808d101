import { seriesJob } from '../calendar/events/series/series-job.ts';
import type { JobDefinition } from '../platform/jobs/job.ts';
import { mailLinkJob } from '../platform/users/sign-in/mailed-links.ts';
import { announcementJob } from '../ticketing/announcements/write-mails.ts';
import { invoiceJob } from '../ticketing/invoices/issue-invoices.ts';
import { passJob } from '../ticketing/orders/passes/extend-passes.ts';
import { checkJob } from '../ticketing/payments/check-payment.ts';
import { eventRefundJob } from '../ticketing/payments/refund-event.ts';
import { refundJob } from '../ticketing/payments/send-refund.ts';
import { eventTickets } from '../ticketing/tickets/event-tickets.ts';
import { seriesTicketsJob } from '../ticketing/tickets/follow-series.ts';

/** Every kind of background job. Their modules load large libraries only when a job runs. */
export const JOB_KINDS: readonly JobDefinition[] = [
  seriesJob(eventTickets),
  seriesTicketsJob,
  passJob,
  checkJob,
  refundJob,
  eventRefundJob,
  invoiceJob,
  mailLinkJob,
  announcementJob,
];
