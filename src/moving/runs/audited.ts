import type { AuditedKind } from '../../platform/audit/kind.ts';
import { findRun, optionsOf } from './store.ts';

/** Imports in the audit log: the decisions of people. Imported records have entries of their own. */
export const auditedImport: AuditedKind = {
  name: 'import',
  async snapshot(db, id) {
    const run = await findRun(db, id);
    if (!run) return undefined;
    const { kind, file_name, address, login, secret } = run;
    const { status, categories, isTheirs: theirs, withMedia: media, table: rows, prefix, columns } = optionsOf(run);
    return {
      title: file_name || hostOf(address),
      fields: {
        ...{ kind, file_name, status, categories, theirs, media, prefix },
        ...(kind === 'csv' && { rows, columns }),
        ...{ state: run.state, stopping: run.is_stopping === 1 },
      },
      // The address of a calendar may have a secret.
      secret: { address, username: login, password: secret },
    };
  },
};

const hostOf = (address: string): string => URL.parse(address)?.host ?? '';
