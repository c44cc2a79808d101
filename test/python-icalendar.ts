import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Reads calendars with Debian's python3-icalendar, as a second opinion. */

/** The Python of the path may not be the one of the packages. */
const PYTHONS = ['python3', '/usr/bin/python3'];
const run = promisify(execFile);

/** Prints the start and end of every entry in UTC, or as dates, by the id of its event. */
const READ = `
import json, sys
from datetime import datetime, timezone
from icalendar import Calendar

def shown(time):
    if time is None: return None
    time = time.dt
    return time.astimezone(timezone.utc).strftime('%Y-%m-%d %H:%M:%S') if isinstance(time, datetime) else str(time)

calendar = Calendar.from_ical(sys.stdin.buffer.read())
print(json.dumps({str(e['UID']).split('@')[0]: [shown(e.get('DTSTART')), shown(e.get('DTEND'))] for e in calendar.walk('VEVENT')}))
`;

/** Start and end by the id of the event. */
export type Read = Readonly<Record<string, [start: string, end: string | null]>>;

/** A function that reads a calendar; undefined where the package is not installed. */
export async function pythonReader(): Promise<((text: string) => Promise<Read>) | undefined> {
  for (const python of PYTHONS) {
    const isInstalled = await run(python, ['-c', 'import icalendar']).then(
      () => true,
      () => false,
    );
    if (!isInstalled) continue;
    return async (text) => {
      const reading = run(python, ['-c', READ], { maxBuffer: 64 * 1024 * 1024 });
      reading.child.stdin?.end(text);
      return JSON.parse((await reading).stdout) as Read;
    };
  }
  return undefined;
}
