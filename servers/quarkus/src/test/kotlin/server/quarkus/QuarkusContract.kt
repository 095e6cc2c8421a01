package threadgauge.server.quarkus

import threadgauge.contract.ShippedStackContract

class QuarkusContract : ShippedStackContract("quarkus")

class QuarkusVirtualContract : ShippedStackContract("quarkus-virtual")
