import { AppPasswords } from './app-passwords.tsx';
import { Tokens } from './tokens.tsx';

/** What programs sign in with for an account. */
export function Credentials({ userId }: { userId: number }) {
  return (
    <>
      <AppPasswords userId={userId} />
      <Tokens userId={userId} />
    </>
  );
}
