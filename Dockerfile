# Tenor in an image of its executable and the C library: no shell, no package manager, no root.
# docker build --build-arg COMMIT="$(git rev-parse --short=12 HEAD)" -t tenor .

FROM node:24.11.0-bookworm-slim AS build
WORKDIR /build
# What is installed is kept while only sources change.
COPY package.json package-lock.json .npmrc ./
COPY bin/setup.mjs bin/
RUN ["node", "bin/setup.mjs"]
COPY . .
ARG COMMIT=unknown
RUN npm run build -- --commit "$COMMIT" && mkdir -m 700 data

FROM gcr.io/distroless/base-nossl-debian12:nonroot
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="Tenor" \
      org.opencontainers.image.description="A read-only query service for financial data" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.revision="$COMMIT"
COPY --from=build /build/dist/tenor /usr/local/bin/tenor
# The only folder that is written to. A volume that is mounted here belongs to the same user.
COPY --from=build --chown=65532:65532 /build/data /data
# By number, so that an orchestrator can tell that it is not root.
USER 65532:65532
WORKDIR /data
VOLUME /data
# From outside the container: an API_TOKEN then needs at least 16 characters. No made-up figure is
# ever served, whatever starts the image.
ENV HOST=0.0.0.0 PORT=8080 DATABASE_URL=sqlite:/data/tenor.db SAMPLE_DATA=off
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
  CMD ["/usr/local/bin/tenor", "health"]
ENTRYPOINT ["/usr/local/bin/tenor"]
CMD ["serve"]
