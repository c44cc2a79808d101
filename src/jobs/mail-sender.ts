import type { Context } from '../base/context.ts';
import { withPresentChoices } from '../base/site-config.ts';
import { toUtc } from '../lib/dates/dates.ts';
import { retryDelay } from '../platform/jobs/job.ts';
import { bounceAddressOf } from '../platform/mails/bounces.ts';
import { endOfLimit, hasWaitedLong } from '../platform/mails/limits.ts';
import { bookAttempt, claimMail, holdDueMails, type Mail, type Outcome } from '../platform/mails/outbox.ts';
import { domainOf, MailRefused, type Message, openSmtp, type Smtp, senderOf } from '../platform/mails/smtp.ts';
import { createLease } from './leases.ts';
import { type Runner, watch } from './runner.ts';

/** Maximum number of attempts at a mail that the mail server defers; the last one is about two days after the first. */
const MAX_ATTEMPTS = 20;
/** Seconds to wait after a fault of the connection; doubles up to the maximum. */
const FIRST_PAUSE = 15;
const LONGEST_PAUSE = 300;
/** Milliseconds for which `stop` waits for the mail that is being sent. */
const STOP_TIMEOUT = 5000;
const LIMITED = 'too many mails to this mailbox, or about one order or ticket, within a day';
const UNSIGNED_32_BIT = 2 ** 32;

/** Renders a mail when it is sent; undefined for an outdated one. */
export type RenderMail = (context: Context, mail: Mail) => Promise<Message | undefined>;

/**
 * Sends the mails of the outbox, one at a time, in the process with the lease. If a process is killed between sending a
 * mail and recording it, the mail is sent again. Without an SMTP server, mails are held.
 */
export function startMailSender(context: Context, render: RenderMail, stopTimeout = STOP_TIMEOUT): Runner {
  const sender = new MailSender(context, render, stopTimeout);
  sender.start();
  return sender;
}

class MailSender implements Runner {
  readonly #context: Context;
  readonly #render: RenderMail;
  readonly #stopTimeout: number;
  readonly #lease;
  #smtp: Promise<Smtp> | undefined;
  #look: Promise<void> | undefined;
  /** Whether mails may have been written since the look began. */
  #isAnnounced = false;
  #isStopping = false;
  /** Consecutive faults of the connection. */
  #faults = 0;
  /** Earliest time of the next attempt, in milliseconds. */
  #pausedUntil = 0;
  /** Time of the last attempt, on the monotonic clock. */
  #lastSent = 0;
  #end: () => void = () => undefined;

  constructor(context: Context, render: RenderMail, stopTimeout: number) {
    this.#stopTimeout = stopTimeout;
    this.#context = context;
    this.#render = render;
    this.#lease = createLease(context, 'mail sender');
  }

  start(): void {
    this.#end = watch(this.#context.db, 'mails', () => this.#wake());
  }

  async settled(): Promise<void> {
    this.#wake();
    while (this.#look !== undefined) await this.#look;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#end();
    // A server that does not respond must not delay the end of the process.
    const timer = setTimeout(() => void this.#disconnect(), this.#stopTimeout);
    await this.#look;
    clearTimeout(timer);
    await this.#disconnect();
    await this.#lease
      .release()
      .catch((err: unknown) => this.#context.log.warn({ err }, 'a lease could not be released'));
  }

  #wake(): void {
    this.#isAnnounced = true;
    this.#look ??= this.#sendAll().finally(() => {
      this.#look = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    try {
      while (this.#isAnnounced && !this.#isStopping) {
        this.#isAnnounced = false;
        await this.#sendDue();
      }
    } catch (err) {
      this.#context.log.error({ err }, 'mails could not be sent');
    }
  }

  async #sendDue(): Promise<void> {
    const { config, db, now } = this.#context;
    if (!config.smtp) await holdDueMails(db, toUtc(now()));
    else while (await this.#sendNext());
  }

  /** Tries the next mail; returns whether there may be more. */
  async #sendNext(): Promise<boolean> {
    const { config, db, now } = this.#context;
    if (this.#isStopping || now().getTime() < this.#pausedUntil || !(await this.#lease.hold())) return false;
    const mail = await claimMail(db, { now: toUtc(now()), domain: domainOf(senderOf(config).address) });
    if (!mail) return false;
    const outcome = await this.#try(mail);
    await bookAttempt(db, mail, outcome, toUtc(now()));
    return true;
  }

  async #try(mail: Mail): Promise<Outcome> {
    const { db, log, now } = this.#context;
    const { id, kind, attempts } = mail;
    const until = await endOfLimit(db, mail, toUtc(now()));
    if (until !== undefined && hasWaitedLong(mail, toUtc(now()))) return { status: 'held', reply: LIMITED };
    if (until !== undefined) return { status: 'waiting', reply: `${LIMITED}: waits until ${until} UTC`, until };
    try {
      const message = await this.#render(await withPresentChoices(this.#context), mail);
      if (!message) return { status: 'removed' };
      await this.#keepRate();
      this.#smtp ??= openSmtp(this.#context.config);
      const reply = await (await this.#smtp).send({
        ...message,
        envelopeFrom: bounceAddressOf(this.#context, mail),
      });
      this.#faults = 0;
      log.info({ mail: id, kind }, 'a mail was sent');
      return { status: 'sent', reply };
    } catch (error) {
      if (!(error instanceof MailRefused))
        return this.#later(mail, { err: error, reply: 'the mail could not be written' });
      // Replies of servers contain addresses, so the log leaves them out.
      const refusal = { mail: id, kind, attempts, code: error.message.slice(0, 3) };
      if (error.kind === 'connection') return this.#pause(mail, error);
      if (error.kind === 'later' && attempts < MAX_ATTEMPTS) return this.#later(mail, { reply: error.message });
      log.warn(refusal, 'a mail was refused');
      return { status: 'failed', reply: error.message };
    }
  }

  #later(mail: Mail, { err, reply }: { err?: unknown; reply: string }): Outcome {
    const { log } = this.#context;
    const { id, kind, attempts } = mail;
    const seconds = this.#delayOf(mail);
    log.warn({ err, mail: id, kind, attempts, seconds }, 'a mail will be tried again');
    if (err !== undefined && attempts >= MAX_ATTEMPTS) return { status: 'failed', reply };
    return { status: 'queued', reply, seconds };
  }

  /** Pauses all mails. This one waits longer, since it may be the cause of the fault. */
  async #pause(mail: Mail, { message }: MailRefused): Promise<Outcome> {
    const { log, now } = this.#context;
    const pause = Math.min(FIRST_PAUSE * 2 ** this.#faults, LONGEST_PAUSE);
    this.#faults += 1;
    this.#pausedUntil = now().getTime() + pause * 1000;
    await this.#disconnect();
    log.error({ mail: mail.id, seconds: pause }, 'the mail server cannot be used: try "marquee mail test"');
    return { status: 'queued', reply: message, seconds: this.#delayOf(mail) };
  }

  #delayOf({ attempts }: Mail): number {
    return retryDelay(attempts, this.#context.random(4).readUInt32BE() / UNSIGNED_32_BIT);
  }

  /** Waits until MARQUEE_MAIL_RATE allows another mail. */
  async #keepRate(): Promise<void> {
    const wait = this.#lastSent + 1000 / this.#context.config.mailRate - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    this.#lastSent = performance.now();
  }

  async #disconnect(): Promise<void> {
    const smtp = await this.#smtp?.catch(() => undefined);
    smtp?.close();
    this.#smtp = undefined;
  }
}
