import type { Context } from '../base/context.ts';
import { createAdministrator, hasAccounts } from '../platform/users/sign-in/first-administrator.ts';
import { checkBuild } from '../web/apps/app-build.ts';

/** Milliseconds from the start to the check of the build. */
const BUILD_CHECK_DELAY = 1000;

/**
 * Prepares the server once, for all of its processes: creates the first administrator if there are no accounts.
 * @param print shows the operator the generated password, once
 * @param load runs while another thread hashes the password
 */
export async function prepareServer(
  context: Context,
  print: (line: string) => void,
  load?: () => Promise<unknown>,
): Promise<void> {
  warnOfShortKey(context);
  // Runs later, so that the first requests need not wait for it.
  setTimeout(() => void checkBuild(context), BUILD_CHECK_DELAY).unref();
  const isNew = !(await hasAccounts(context.db));
  await Promise.all([isNew && createAdministrator(context, print), load?.()]);
}

/** Length below which a start warns of a key: with many clients, shorter ones will eventually be guessed. */
const SAFE_KEY = 16;

function warnOfShortKey({ config, log }: Context): void {
  const length = config.qrApiKey?.length ?? SAFE_KEY;
  if (length < SAFE_KEY)
    log.warn(
      `MARQUEE_QR_API_KEY has ${length} characters; use ${SAFE_KEY} or more, such as those of "openssl rand -hex 16"`,
    );
}
