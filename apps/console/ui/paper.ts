import { useEffect } from 'react';

/** Prints on the page of a name, such as `a4`; the name is a property of the root element, since the frame is a grid. */
export function usePaper(name: string): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset.paper = name;
    return () => {
      delete dataset.paper;
    };
  }, [name]);
}
