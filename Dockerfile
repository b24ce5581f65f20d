# Both images can be replaced, for example by copies in your own registry.
ARG BUILD_IMAGE=node:24-bookworm-slim
ARG RUNTIME_IMAGE=gcr.io/distroless/base-nossl-debian13:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY CHANGELOG.md tsconfig.json ./
COPY migrations migrations
COPY packages packages
COPY scripts scripts
COPY src src
RUN node_modules/.bin/bun scripts/build-binary.ts --outdir /out && mkdir /out/data

# This image has no shell and no package manager, only the C library, certificates and the program.
FROM ${RUNTIME_IMAGE}
LABEL org.opencontainers.image.title="Animal Store" \
      org.opencontainers.image.version=1.2.0 \
      org.opencontainers.image.licenses=MIT
COPY --from=build /out/animal-store /usr/local/bin/animal-store
# A new volume gets the owner of this folder.
COPY --from=build --chown=65532:65532 /out/data /data
# With the last variable, the runtime soon notices when the host name of a server resolves to another address.
ENV HOST=0.0.0.0 \
    DATABASE_URL=sqlite:/data/animal-store.db \
    DEMO=off \
    BUN_CONFIG_DNS_TIME_TO_LIVE_SECONDS=1
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=6s --start-period=10s CMD ["animal-store", "health"]
ENTRYPOINT ["animal-store"]
CMD ["serve"]
