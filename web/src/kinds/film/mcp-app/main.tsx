import { App } from '@modelcontextprotocol/ext-apps';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { FilmStore } from './film-store.ts';
import { FilmView } from './film-view.tsx';
import { applyLook, KodaHost } from './host.ts';
import './app.css';

// The policies of clients forbid compiled validators.
z.config({ jitless: true });

const app = new App({ name: 'koda-film', version: '1.0.0' }, { availableDisplayModes: ['inline', 'fullscreen'] });
const store = new FilmStore(new KodaHost(app));
app.ontoolinput = ({ arguments: input }) => store.opened(input);
app.ontoolresult = (result) => void store.received(result);
app.ontoolcancelled = () => store.cancelled();
app.onhostcontextchanged = applyLook;

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root element.');
createRoot(root).render(
  <StrictMode>
    <FilmView store={store} />
  </StrictMode>,
);

await app.connect();
const context = app.getHostContext() ?? {};
applyLook(context);
store.connected({ canBeFullscreen: context.availableDisplayModes?.includes('fullscreen') ?? false });
