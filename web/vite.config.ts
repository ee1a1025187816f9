import { defineConfig } from 'vite'

// `npm run dev` serves the page with reloading; a running `crewlab live` provides the rest.
export default defineConfig({
  base: './',
  build: { target: 'es2022', sourcemap: false, chunkSizeWarningLimit: 1000 },
  server: {
    proxy: {
      '/ws': { target: 'http://127.0.0.1:8420', ws: true, changeOrigin: true, rewriteWsOrigin: true },
      '^/(report|replay/.*)$': { target: 'http://127.0.0.1:8420', changeOrigin: true },
    },
  },
})
