// Light or dark, and how much may move, before the first paint: a classic script in the head, which keeps the page from being
// drawn until it has run. The settings page writes the choice; every tab hears of it.
(() => {
  const root = document.documentElement;
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const prefersCalm = matchMedia('(prefers-reduced-motion: reduce)');
  const bars = [...document.querySelectorAll('meta[name="theme-color"]')];
  const barColours = {
    light: bars.find((bar) => bar.media.includes('light'))?.content ?? '',
    dark: bars.find((bar) => bar.media.includes('dark'))?.content ?? '',
  };

  const chosen = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      // A browser that keeps nothing: the system decides.
      return null;
    }
  };

  const apply = () => {
    const wish = chosen('koda:theme');
    const theme = wish === 'light' || wish === 'dark' ? wish : prefersDark.matches ? 'dark' : 'light';
    root.dataset.theme = theme;
    if (chosen('koda:motion') === 'reduced' || prefersCalm.matches) root.dataset.motion = 'reduced';
    else delete root.dataset.motion;
    for (const bar of bars) bar.content = barColours[theme];
  };

  apply();
  prefersDark.addEventListener('change', apply);
  prefersCalm.addEventListener('change', apply);
  // Another tab, this tab, and a page that comes back from the browser's memory.
  for (const event of ['storage', 'koda:appearance', 'pageshow']) addEventListener(event, apply);
})();
