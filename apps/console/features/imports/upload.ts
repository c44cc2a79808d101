import type { Import } from '../../../../packages/client/src/marquee-client.ts';
import { sendBytes } from '../../../client/call.ts';
import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { toastProblem } from '../../ui/toast.tsx';

/** Uploads of files in parts, which go on while other screens are shown. */

const PART = 1024 * 1024;

const running = new Map<number, AbortController>();

export const isUploading = (id: number): boolean => running.has(id);

interface Upload {
  item: Pick<Import, 'id' | 'received'>;
  file: Blob;
}

/** Sends the parts of a file that have not arrived. A second call while it runs does nothing. */
export const useFileUpload = (): ((upload: Upload) => void) => useAction(sendParts, { onError: toastProblem }).run;

async function sendParts({ item: { id, received }, file }: Upload): Promise<void> {
  if (running.has(id)) return;
  const stopper = new AbortController();
  running.set(id, stopper);
  try {
    for (let number = Math.floor(received / PART); number * PART < file.size; number++) {
      const part = file.slice(number * PART, (number + 1) * PART);
      await sendBytes(`/admin/v1/imports/${id}/parts/${number}`, part, stopper.signal);
      await refresh(`/admin/v1/imports`);
    }
  } finally {
    running.delete(id);
    await refresh(`/admin/v1/imports`);
  }
}

/** Ends the upload of an import that is cancelled. */
export const stopUpload = (id: number): void => running.get(id)?.abort();
