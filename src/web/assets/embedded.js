// Tells the page around an embedded calendar how high it is: its content, not the frame.
const tell = () => {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  parent.postMessage({ type: 'marquee-height', height, title: document.title }, '*');
};

// Days of the month and other months open in the frame, all other pages at the top.
for (const link of document.querySelectorAll('a[href^="#"], a[href*="/embed/month/"]')) link.target = '_self';

new ResizeObserver(tell).observe(document.documentElement);
tell();
