import type { Context } from '../../base/context.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { changeRun, findExpired, removeFile, removePlan } from './store.ts';

/** Imports of a run of the periodic job. */
const PER_RUN = 20;

/** Erases files and plans a week after the last change of their imports; one that was not started ends so. */
export async function eraseImports({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  const utc = toUtc(now());
  for (const { id, state } of await findExpired(db, utc, PER_RUN))
    await db.transaction(async (trx) => {
      const isOpen = state === 'uploading' || state === 'mapping' || state === 'planned';
      const erased = { erased_utc: utc, login: '', secret: '' };
      // It may have been started meanwhile.
      if (!(await changeRun(trx, id, [state], isOpen ? { ...erased, state: 'cancelled', finished_utc: utc } : erased)))
        return;
      await removeFile(trx, id);
      await removePlan(trx, id);
    });
}
