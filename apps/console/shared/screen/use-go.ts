import { useRouter } from '@tanstack/react-router';

/** Goes to a path of the console that is known only at run time, such as that of a rail entry. */
export function useGo(): (path: string) => void {
  const router = useRouter();
  return (path) => void router.navigate({ href: router.history.createHref(`/console${path}`) });
}
