import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Media, randomKey } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { refresh } from '../../data/queries.ts';
import { describe } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t, whyRefused } from './pictures.ts';

export interface Refused {
  file: File;
  why: string;
}

interface Progress {
  done: number;
  of: number;
}

/**
 * Uploads files one after another; further files are queued. Uploads continue when the screen is left, and failures are
 * then shown as a message.
 * @param onUploaded called with the uploaded pictures unless the screen was left
 */
export function useUpload(onUploaded: (pictures: readonly Media[]) => void) {
  const [progress, setProgress] = useState<Progress>();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const queue = useRef<File[]>([]);
  const stopper = useRef<AbortController>(undefined);
  const isLeft = useIsLeft();
  const run = async (signal: AbortSignal) => {
    const [taken, failed]: [Media[], Refused[]] = [[], []];
    /** Notes the refusal of the first files of the queue. */
    const refuse = (why: string, count = 1) =>
      failed.push(...queue.current.splice(0, count).map((file) => ({ file, why })));
    for (let file = queue.current[0]; file; file = queue.current[0]) {
      const done = taken.length + failed.length;
      setProgress({ done, of: done + queue.current.length });
      try {
        taken.push(await call('POST /admin/v1/media', { file }, { signal, key: keyOf(file) }));
        queue.current.shift();
      } catch (error) {
        const all = queue.current.length;
        if (signal.aborted) refuse(t('upload.stopped'), all);
        else if (isProblem(error, 'offline')) refuse(describe(error), all);
        else refuse(whyRefused(error));
      }
    }
    return { taken, failed };
  };
  const { mutateAsync } = useMutation({ mutationFn: run });
  const upload = async (files: readonly File[]) => {
    if (files.length === 0) return;
    queue.current.push(...files);
    if (stopper.current) return;
    stopper.current = new AbortController();
    setRefused([]);
    const { taken, failed } = await mutateAsync(stopper.current.signal);
    stopper.current = undefined;
    setProgress(undefined);
    setRefused(failed);
    if (taken.length > 0) void refresh('/admin/v1/media');
    if (!isLeft.current && taken.length > 0) onUploaded(taken);
    if (isLeft.current && failed.length > 0)
      toast(t('upload.refused_in_all', { count: failed.length }), { tone: 'bad' });
  };
  return { progress, refused, upload, stop: () => stopper.current?.abort() };
}

const keys = new WeakMap<File, string>();

/** Idempotency key of a file, the same for each try: an interrupted upload may have succeeded. */
function keyOf(file: File): string {
  const key = keys.get(file) ?? randomKey();
  keys.set(file, key);
  return key;
}

/** Ref that is true once the component is unmounted. */
function useIsLeft() {
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  return isLeft;
}
