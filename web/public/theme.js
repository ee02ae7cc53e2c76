// Sets theme and motion before the first paint: a classic script in the head blocks drawing until it has run. The settings
// page stores the choice, which every tab applies.
(() => {
  const root = document.documentElement;
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  const bars = [...document.querySelectorAll('meta[name="theme-color"]')];
  const barColours = {
    light: bars.find((bar) => bar.media.includes('light'))?.content ?? '',
    dark: bars.find((bar) => bar.media.includes('dark'))?.content ?? '',
  };

  const chosen = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      // Storage is forbidden, so the system setting decides.
      return null;
    }
  };

  const apply = () => {
    const setting = chosen('koda:theme');
    const systemTheme = prefersDark.matches ? 'dark' : 'light';
    const theme = setting === 'light' || setting === 'dark' ? setting : systemTheme;
    root.dataset.theme = theme;
    if (chosen('koda:motion') === 'reduced' || prefersReducedMotion.matches) root.dataset.motion = 'reduced';
    else delete root.dataset.motion;
    for (const bar of bars) bar.content = barColours[theme];
  };

  apply();
  prefersDark.addEventListener('change', apply);
  prefersReducedMotion.addEventListener('change', apply);
  // The setting changed in another tab or this one, or the page was restored from the back/forward cache.
  for (const event of ['storage', 'koda:appearance', 'pageshow']) addEventListener(event, apply);
})();
