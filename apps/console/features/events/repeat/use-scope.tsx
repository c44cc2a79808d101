import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { isProblem, type Problem } from '../../../../client/problem.ts';
import type { Scope } from './scope-choice.tsx';
import type { ScopedAct } from './scope-dialogs.tsx';

/** Most events are in no series, so the questions are loaded when one is. */
const load = () => import('./scope-dialogs.tsx');
const ScopeDialog = lazy(async () => ({ default: (await load()).ScopeDialog }));
export const HeldDialog = lazy(async () => ({ default: (await load()).HeldDialog }));

interface Asked {
  act: ScopedAct;
  isAlone: boolean;
  answer: (scope: Scope | undefined) => void;
}

interface Refused {
  problem: Problem;
  answer: (isConfirmed: boolean) => void;
}

interface ScopeQuestion {
  /** Asks which events an action concerns; resolves to `this` outside a series, to undefined if the question is closed. */
  ask(act: ScopedAct, isAlone?: boolean): Promise<Scope | undefined>;
  /** Sends a change, again with a confirmation if people hold tickets; resolves to undefined if the user declines. */
  send<T>(write: (confirm_holders: boolean) => Promise<T>): Promise<T | undefined>;
  question: ReactNode;
}

/** Questions before a change of several events of a series. */
export function useScope(event: Event): ScopeQuestion {
  const [asked, setAsked] = useState<Asked>();
  const [refused, setRefused] = useState<Refused>();
  const ask = (act: ScopedAct, isAlone = false): Promise<Scope | undefined> =>
    event.series ? new Promise((answer) => setAsked({ act, isAlone, answer })) : Promise.resolve('this');
  const send = async <T,>(write: (confirm_holders: boolean) => Promise<T>): Promise<T | undefined> => {
    try {
      return await write(false);
    } catch (error) {
      if (!isProblem(error, 'series-has-holders')) throw error;
      const isConfirmed = await new Promise<boolean>((answer) => setRefused({ problem: error, answer }));
      return isConfirmed ? write(true) : undefined;
    }
  };
  const choose = (scope: Scope | undefined) => {
    asked?.answer(scope);
    setAsked(undefined);
  };
  const confirm = (isConfirmed: boolean) => {
    refused?.answer(isConfirmed);
    setRefused(undefined);
  };
  const question = (asked || refused) && (
    <Suspense fallback={null}>
      {asked && <ScopeDialog event={event} {...asked} onChoose={choose} onClose={() => choose(undefined)} />}
      {refused && (
        <HeldDialog problem={refused.problem} onConfirm={() => confirm(true)} onClose={() => confirm(false)} />
      )}
    </Suspense>
  );
  return { ask, send, question };
}
