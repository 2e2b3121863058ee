# respin with Yosys: docker build -t respin . && docker run --rm -v "$PWD:/work" respin verify design.sv
# `flows/container/steps` runs these steps where there is no container runtime.

FROM rust:1.95-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --profile dist --locked --bin respin

# Yosys without what draws its pictures, which is most of what its package asks for.
FROM debian:bookworm-slim AS yosys
WORKDIR /tmp
RUN apt-get -qq update && apt-get -qq download yosys && dpkg-deb -x yosys_*.deb /yosys

FROM debian:bookworm-slim
# Versions are those of this release of Debian; pinned ones go away with the next update.
# hadolint ignore=DL3008
RUN apt-get -qq update \
    && apt-get -qq install -y --no-install-recommends libffi8 libreadline8 libtcl8.6 >/dev/null \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 respin \
    && mkdir /work && chown respin:respin /work
COPY --from=yosys /yosys/usr/bin/yosys /usr/local/bin/yosys
COPY --from=yosys /yosys/usr/share/yosys /usr/local/share/yosys
COPY --from=build /src/target/dist/respin /usr/local/bin/respin
COPY --from=build /src/LICENSE-MIT /src/LICENSE-APACHE /usr/share/doc/respin/
USER 1000
WORKDIR /work
ENTRYPOINT ["respin"]
CMD ["--help"]
