import { useEffect } from 'react';

/** Sets the paper of printed pages, such as `a4`, as an attribute of the root element for the style sheets. */
export function usePaper(name: string): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset.paper = name;
    return () => {
      delete dataset.paper;
    };
  }, [name]);
}
