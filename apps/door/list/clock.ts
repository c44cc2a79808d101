/** Clock of the server as a device knows it. Times are milliseconds since 1970. */
export interface ServerClock {
  /** Clock of the server minus clock of the device. */
  offset: number;
  /** Largest error of the offset when it was measured: half of the time that the exchange took. */
  error: number;
  /** When it was measured, by the clock of the device. */
  measured: number;
}

/** An exchange with the server: when the device sent and received, by its own clock, and the time in the response. */
interface Exchange {
  sent: number;
  received: number;
  server: number;
}

/** Quartz drifts by up to 50 millionths; phones in the sun somewhat more. */
const DRIFT = 1e-4;
/** A larger difference means that the clock of the device was set, which voids all earlier measurements. */
const SET = 2000;

/**
 * The clock after an exchange. A measurement replaces the earlier one if drift has made that one less precise, or if
 * the clock of the device was set in between.
 */
export function clockAfter(clock: ServerClock | undefined, { sent, received, server }: Exchange): ServerClock {
  const error = Math.max(0, received - sent) / 2;
  const measured = { offset: Math.round(server - (sent + received) / 2), error, measured: received };
  if (!clock || received < sent) return measured;
  const age = received - clock.measured;
  const present = clock.error + Math.abs(age) * DRIFT;
  const wasSet = age < 0 || Math.abs(measured.offset - clock.offset) > error + present + SET;
  return wasSet || error <= present ? measured : clock;
}

/** A time as verdicts compare it: `2027-03-06 18:31:07.250`, UTC. */
export const utcText = (ms: number): string => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');

/** Milliseconds of such a text, with or without milliseconds. */
export const msOf = (utc: string): number => Date.parse(`${utc.replace(' ', 'T')}Z`);
