// Tells the page around an embedded calendar how high it is: its content, not the frame.
const tell = () => {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  parent.postMessage({ type: 'marquee-height', height }, '*');
};

new ResizeObserver(tell).observe(document.documentElement);
tell();
