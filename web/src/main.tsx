import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type ApiError, toApiError } from './api/client.ts';
import { App } from './app.tsx';
import './styles.css';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < retriesOf(toApiError(error)),
    },
  },
});

/** Does not retry rejections (4xx). Retries network and server errors, most often while a sandbox is starting. */
function retriesOf({ code, status }: ApiError): number {
  if (code === 'SERVICE_UNAVAILABLE') return 6;
  return status === 0 || status >= 500 ? 2 : 0;
}

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root element.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
